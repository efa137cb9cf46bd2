#include "run/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "json/json.hpp"
#include "json/json_difference.hpp"
#include "result/result_json.hpp"
#include "run/restore.hpp"

namespace sigstab {
namespace {

constexpr const char* kHint =
    "a run is continued as it began: run it without --resume, or with -o another file";

std::string identity(const CaseResult& one) { return one.label() + "\n" + one.seed; }

// What a line says beside its case.
Json frame_of(Json line) {
  line.erase("cases");
  return line;
}

// The lines of one plan.
class PlanReader {
 public:
  PlanReader(const Plan& plan, Provenance provenance) : plan_(plan), frame_(empty_result(plan)) {
    frame_.provenance = std::move(provenance);
    later_ = line_frame(false);
    for (const Unit& unit : plan.units) {
      for (std::size_t i : unit.cases) {
        CaseResult one;
        identify(one, plan.cases[i], seed_text(plan, unit));
        index_[identity(one)] = {&unit, i};
      }
    }
  }

  // The result's index and the case. `place` names the line.
  std::pair<std::size_t, CaseResult> read(std::string_view line, const Json& json, bool first,
                                          const std::string& place) const {
    compare(frame_of(json), first ? line_frame(true) : later_, place);
    const Result kept = result_from(json, place);
    if (kept.cases.size() != 1) throw Error(place, "it does not hold one case", kHint);
    const auto found = index_.find(identity(kept.cases.front()));
    if (found == index_.end()) {
      throw Error(place, "this case is not asked for: " + kept.cases.front().label(), kHint);
    }
    const auto [unit, planned] = found->second;
    CaseResult one = restored_case(kept.cases.front(), plan_, planned, place, kHint);
    const std::string now = jsonl_line(frame_, one, first);
    if (now.substr(0, now.size() - 1) != line) {
      compare(json, Json::parse(now), place);
      throw Error(place, "it is not as sigstab writes it", kHint);
    }
    return {unit->first_result + planned, std::move(one)};
  }

 private:
  Json line_frame(bool first) const { return frame_of(Json::parse(jsonl_line(frame_, {}, first))); }

  static void compare(const Json& kept, const Json& now, const std::string& place) {
    const std::optional<JsonDifference> found = first_difference(kept, now, "");
    if (!found) return;
    throw Error(place,
                fmt::format("{} is {} there and {} now", found->pointer, found->kept, found->now),
                kHint);
  }

  const Plan& plan_;
  Result frame_;
  Json later_;  // what every line but the first says beside its case
  std::unordered_map<std::string, std::pair<const Unit*, std::size_t>> index_;
};

class RunReader {
 public:
  RunReader(std::string file, std::span<const Plan> plans, Provenance build)
      : file_(std::move(file)), plans_(plans), build_(std::move(build)) {
    run_.plans.resize(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      run_.plans[i].finished.resize(plans[i].results);
    }
  }

  KeptRun read(std::string_view text) {
    for (std::size_t number = 1;; ++number) {
      const std::size_t end = text.find('\n', run_.bytes);
      const std::string_view line = text.substr(run_.bytes, end - run_.bytes);
      if (end == std::string_view::npos) {
        check_torn(line, number);
        return std::move(run_);
      }
      read_line(line, place(number));
      run_.bytes = end + 1;
    }
  }

 private:
  std::string place(std::size_t number) const { return fmt::format("{} line {}", file_, number); }

  // Only a part of a line of ours is dropped.
  void check_torn(std::string_view line, std::size_t number) const {
    const std::size_t known = std::min(line.size(), kLineStart.size());
    if (line.substr(0, known) == kLineStart.substr(0, known)) return;
    throw Error(place(number), "not a sigstab result", kHint);
  }

  static Json parsed(std::string_view line, const std::string& place) {
    try {
      return parse_json(line, place);
    } catch (const Error& error) {
      throw Error(place, "not a sigstab result: " + error.message(), kHint);
    }
  }

  // A first line of an experiment carries its config.
  void read_line(std::string_view line, const std::string& place) {
    const Json json = parsed(line, place);
    const bool first = json.is_object() && json.contains("config");
    if (first) begin_plan(json, place);
    if (!reader_) throw Error(place, "not the first line of a sigstab result", kHint);
    KeptPlan& plan = run_.plans[begun_ - 1];
    auto [index, one] = reader_->read(line, json, first, place);
    if (plan.finished[index]) throw Error(place, "this case has a line before", kHint);
    plan.order.add(index);
    plan.finished[index] = std::move(one);
  }

  void begin_plan(const Json& json, const std::string& place) {
    if (begun_ > 0) {
      const KeptPlan& above = run_.plans[begun_ - 1];
      if (above.order.count != plans_[begun_ - 1].results || !above.order.ascending) {
        throw Error(place, "an experiment begins before the one above it is complete", kHint);
      }
    }
    if (begun_ == plans_.size()) {
      throw Error(place,
                  fmt::format("it holds more than the {} experiment{} asked for", begun_,
                              begun_ == 1 ? "" : "s"),
                  kHint);
    }
    const Json::json_pointer threads("/provenance/threads");
    if (json.contains(threads) && json[threads].is_number_integer()) {
      build_.threads = json[threads].get<int>();
    }
    if (!run_.threads) run_.threads = build_.threads;
    reader_.emplace(plans_[begun_], build_);
    run_.plans[begun_++].order.begins = run_.bytes;
  }

  std::string file_;
  std::span<const Plan> plans_;
  Provenance build_;
  KeptRun run_;
  std::optional<PlanReader> reader_;  // of the plan that was begun last
  std::size_t begun_ = 0;
};

}  // namespace

std::size_t KeptRun::count() const {
  std::size_t sum = 0;
  for (const KeptPlan& plan : plans) sum += plan.order.count;
  return sum;
}

KeptRun read_kept(std::string_view text, const std::string& file, std::span<const Plan> plans,
                  const Provenance& build) {
  return RunReader(file, plans, build).read(text);
}

}  // namespace sigstab
