#include "run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace sigstab {
namespace {

// A unit that is to run, and what it takes.
struct PendingUnit {
  const Unit* unit;
  double work, steps;
};

bool is_finished(const Unit& unit, const FinishedCases& done) {
  return std::ranges::all_of(
      unit.cases, [&](std::size_t i) { return done[unit.first_result + i].has_value(); });
}

// The largest units come first, so that none is left running alone at the end.
std::vector<PendingUnit> in_order_of_work(const Plan& plan, const FinishedCases& done) {
  std::vector<double> work(plan.cases.size()), steps(plan.cases.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Cost cost = plan.cases[i].model->cost();
    constexpr double kFlopsOfADraw = 30;  // of the time that one draw takes
    constexpr double kFlopsOfACase = 1e4;
    work[i] = cost.flops + kFlopsOfADraw * cost.weights + kFlopsOfACase;
    steps[i] = plan.cases[i].model->steps();
  }
  std::vector<PendingUnit> units;
  for (const Unit& unit : plan.units) {
    if (is_finished(unit, done)) continue;
    units.push_back({&unit, 0, 0});
    for (std::size_t i : unit.cases) {
      units.back().work += work[i];
      units.back().steps += steps[i];
    }
  }
  std::ranges::stable_sort(units, std::greater(), &PendingUnit::work);
  return units;
}

double total_work(const std::vector<PendingUnit>& units) {
  double sum = 0;
  for (const PendingUnit& one : units) sum += one.work;
  return sum;
}

// Hands every unit to the next free worker; each has a team of its own and its share of the memory
// that is left. After an exception no further unit is begun, and the first exception is thrown.
void run_units(const Plan& plan, const std::vector<PendingUnit>& units, const Limits& limits,
               const RunEvents& events,
               const std::function<void(const Unit&, const Resources&)>& work) {
  const double needed = std::max(1.0, total_cost(plan).bytes), whole = total_work(units);
  const double fitting = std::min(limits.memory / needed, static_cast<double>(units.size()));
  const int workers = std::clamp(static_cast<int>(fitting), 1, std::max(1, limits.threads));
  const double spare = std::max(0.0, limits.memory / workers - needed);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  Team crew(workers);
  crew.run([&](int) {
    Team team(std::max(1, limits.threads / workers));
    const auto interrupted = [&] { return events.interrupt != nullptr && *events.interrupt; };
    while (!failed && !interrupted()) {
      const std::size_t i = next.fetch_add(1);
      if (i >= units.size()) return;
      UnitMeter meter(events.meter, units[i].work, units[i].steps, whole);
      try {
        work(*units[i].unit, {team, spare, events.interrupt, &meter});
      } catch (const Interrupted&) {
        return;
      } catch (...) {
        failed = true;
        throw;
      }
      meter.end();
    }
  });
}

}  // namespace

void check_memory(const Plan& plan, const Limits& limits) {
  const Cost cost = total_cost(plan);
  if (cost.bytes > limits.memory) {
    throw Error(plan.experiment,
                fmt::format("needs about {:.3g} GB of memory, and {:.3g} GB are available",
                            cost.bytes / 1e9, limits.memory / 1e9),
                "make width, depth or tokens smaller, or give more with --memory");
  }
}

Result empty_result(const Plan& plan) {
  Result result;
  result.experiment = plan.experiment;
  result.kind = plan.kind->name;
  result.row_name = plan.kind->row_name;
  result.title = plan.title;
  result.source = plan.source;
  result.config = plan.resolved;
  return result;
}

Result run(const Plan& plan, const Limits& limits, const RunEvents& events,
           FinishedCases finished) {
  FinishedCases done = std::move(finished);
  done.resize(plan.results);
  std::size_t count =
      static_cast<std::size_t>(std::ranges::count_if(done, [](const auto& one) { return !!one; }));
  std::size_t told = 0;  // how many at the front `events.in_order` has heard of
  std::mutex mutex;
  const auto tell = [&](std::size_t index) {
    if (events.in_order) events.in_order(index, *done[index]);
  };
  const auto tell_front = [&] {
    for (; told < done.size() && done[told]; ++told) tell(told);
  };
  const auto emit = [&](std::size_t index, CaseResult one) {
    const std::lock_guard<std::mutex> lock(mutex);
    if (done[index]) return;  // finished before, and run for the stream's sake
    done[index] = std::move(one);
    ++count;
    if (events.meter != nullptr) events.meter->add_result();
    if (events.finished) events.finished(index, *done[index]);
    tell_front();
  };
  const std::vector<PendingUnit> units = in_order_of_work(plan, done);
  if (events.meter != nullptr) events.meter->begin(count, done.size(), total_work(units));
  tell_front();
  if (!units.empty()) {
    run_units(plan, units, limits, events, [&](const Unit& unit, const Resources& resources) {
      plan.kind->run(unit_cases(plan, unit), unit.seed, resources,
                     [&](std::size_t index, CaseResult one) {
                       const std::size_t planned = unit.cases[index];
                       identify(one, plan.cases[planned], seed_text(plan, unit));
                       one.planned = planned;
                       emit(unit.first_result + planned, std::move(one));
                     });
    });
  }
  for (; told < done.size(); ++told) {
    if (done[told]) tell(told);
  }
  Result result = empty_result(plan);
  result.complete = count == done.size();
  for (std::optional<CaseResult>& one : done) {
    if (one) result.cases.push_back(std::move(*one));
  }
  return result;
}

}  // namespace sigstab
