#include "pipeline/run.hpp"

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

// The largest units come first, so that none is left running alone at the end.
std::vector<const Unit*> in_order_of_work(const Plan& plan) {
  std::vector<double> work(plan.cases.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Cost cost = plan.cases[i].model->cost();
    constexpr double kFlopsOfADraw = 30;  // of the time that one draw takes
    work[i] = cost.flops + kFlopsOfADraw * cost.weights;
  }
  std::vector<std::pair<double, const Unit*>> units;
  for (const Unit& unit : plan.units) {
    double sum = 0;
    for (std::size_t i : unit.cases) sum += work[i];
    units.emplace_back(sum, &unit);
  }
  std::ranges::stable_sort(units, std::greater(), &std::pair<double, const Unit*>::first);
  std::vector<const Unit*> ordered;
  for (const auto& [sum, unit] : units) ordered.push_back(unit);
  return ordered;
}

// Hands every unit to the next free worker; each has a team of its own and its share of the memory
// that is left. After an exception no further unit is begun, and the first exception is thrown.
void run_units(const Plan& plan, const Limits& limits, const std::atomic<bool>* interrupt,
               const std::function<void(const Unit&, const Resources&)>& work) {
  const double needed = std::max(1.0, total_cost(plan).bytes);
  const double fitting = std::min(limits.memory / needed, static_cast<double>(plan.units.size()));
  const int workers = std::clamp(static_cast<int>(fitting), 1, std::max(1, limits.threads));
  const double spare = std::max(0.0, limits.memory / workers - needed);
  const std::vector<const Unit*> units = in_order_of_work(plan);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  Team crew(workers);
  crew.run([&](int) {
    Team team(std::max(1, limits.threads / workers));
    const auto interrupted = [&] { return interrupt != nullptr && *interrupt; };
    while (!failed && !interrupted()) {
      const std::size_t i = next.fetch_add(1);
      if (i >= units.size()) return;
      try {
        work(*units[i], {team, spare, interrupt});
      } catch (const Interrupted&) {
        return;
      } catch (...) {
        failed = true;
        throw;
      }
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

Result run(const Plan& plan, const Limits& limits, const RunEvents& events) {
  std::vector<std::optional<CaseResult>> done(plan.results);
  std::size_t finished = 0, told = 0;  // told: how many at the front `finished` has heard of
  std::mutex mutex;
  const auto tell = [&](const CaseResult& one) {
    if (events.finished) events.finished(one);
  };
  const auto emit = [&](std::size_t index, CaseResult one) {
    const std::lock_guard<std::mutex> lock(mutex);
    done[index] = std::move(one);
    ++finished;
    for (; told < done.size() && done[told]; ++told) tell(*done[told]);
    if (events.progress) events.progress(finished, done.size());
  };
  run_units(plan, limits, events.interrupt, [&](const Unit& unit, const Resources& resources) {
    plan.kind->run(unit_cases(plan, unit), unit.seed, resources,
                   [&](std::size_t index, CaseResult one) {
                     const std::size_t planned = unit.cases[index];
                     identify(one, plan.cases[planned], plan.kind->draws ? unit.seed.text() : "");
                     one.planned = planned;
                     emit(unit.first_result + planned, std::move(one));
                   });
  });
  for (; told < done.size(); ++told) {
    if (done[told]) tell(*done[told]);
  }
  Result result = empty_result(plan);
  result.complete = finished == done.size();
  for (std::optional<CaseResult>& one : done) {
    if (one) result.cases.push_back(std::move(*one));
  }
  return result;
}

}  // namespace sigstab
