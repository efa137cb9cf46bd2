#pragma once
// What a kind of experiment is: its own config keys, and how its cases run.
//
// experiments/*.cpp define one each; CMake makes the list of them. A kind reads each resolved case
// once into a KindCase; running a unit of cases that share a random stream gives one CaseResult a
// case.

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/team.hpp"
#include "json/object_reader.hpp"
#include "kinds/meter.hpp"
#include "random/seed.hpp"
#include "result/result.hpp"

namespace sigstab {

class CaseTheory;  // theory/theory.hpp

// What a case will take, for --dry-run and for refusing it in time.
struct Cost {
  double weights = 0;  // numbers drawn as weights
  double flops = 0;    // of matrix products
  double bytes = 0;    // of memory at the peak
};

class KindCase {
 public:
  virtual ~KindCase() = default;
  virtual std::int64_t rows() const = 0;
  // The coming result with facts filled in, and every scalar and column named that can be measured
  // (after `ask`: that will be); values are unset.
  virtual CaseResult shape() const = 0;
  // Why a column that the kind knows is none of this case's, and what to change; empty for one that
  // it does not know.
  virtual std::string why_no_column(const std::string& /*name*/) const { return ""; }
  // Measures only these columns, beside those that the kind always does. By default it is all.
  virtual void ask(const std::vector<std::string>& /*columns*/) {}
  // Names of the columns that the default report shows.
  virtual std::vector<std::string> default_columns() const = 0;
  virtual Cost cost() const = 0;
  // How often its run calls Resources::step.
  virtual double steps() const { return 0; }
  // The seed that the config names for this case; null where nothing is drawn.
  virtual const Seed* seed() const { return nullptr; }
  // Cases with the same non-empty text draw from one sequential stream, one after another.
  virtual std::string stream() const { return ""; }
  // What theory says of the case; null for a kind that runs no stack of layers.
  virtual const CaseTheory* theory() const { return nullptr; }
};

// A case within a unit of work.
struct UnitCase {
  const KindCase* model;
  std::string name, point;  // the parts of a counter-based stream's key
};

// Thrown out of a unit whose run is to end; what it has emitted stays.
struct Interrupted {};

// What a unit may use besides the cost of its cases.
struct Resources {
  Team& team;
  double spare_bytes;  // for keeping what would have to be computed again
  const std::atomic<bool>* interrupt = nullptr;
  UnitMeter* meter = nullptr;

  // Throws Interrupted once the run is to end: called between cases, and within long ones.
  void check_interrupt() const {
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw Interrupted();
  }
  // One of the case's steps is done, for whoever watches. From the thread that runs the unit.
  void step() const {
    if (meter != nullptr) meter->step();
  }
};

// A column or scalar of a kind's results.
struct Measure {
  std::string_view name, help;
};

struct Kind {
  std::string_view name, help;
  std::string_view row_name;  // what a row of its result is: "layer"
  bool draws;                 // has a random stream, hence seeds
  std::vector<Field> (*fields)();
  // All that cases of this kind may measure.
  std::vector<Measure> (*measures)();
  // Errors: as ObjectReader.
  std::unique_ptr<KindCase> (*read)(const ObjectReader& config);
  // Errors: a seed that the generator does not take; what keeps the cases from sharing one stream.
  // Their place is a pointer alone.
  void (*check_unit)(std::span<const UnitCase> cases, const Seed& seed);
  // Runs the cases in order from a fresh stream; `emit` takes each result as it is finished.
  // The resources must not change a bit of them.
  void (*run)(std::span<const UnitCase> cases, const Seed& seed, const Resources& resources,
              const std::function<void(std::size_t index, CaseResult)>& emit);
};

// The case of a unit, as the class that its kind reads.
template <class Case>
const Case& case_as(const UnitCase& unit) {
  return static_cast<const Case&>(*unit.model);
}

// For Kind::fields and Kind::measures, of a constant table.
template <auto& table>
auto rows_of() {
  return std::vector(std::begin(table), std::end(table));
}

// For Kind::read, of a class made from its config.
template <class Case>
std::unique_ptr<KindCase> read_as(const ObjectReader& config) {
  return std::make_unique<Case>(config);
}

// For a kind that draws nothing, its cases each computed at once by `CaseResult compute() const`.
inline void check_undrawn(std::span<const UnitCase>, const Seed&) {}
template <class Case>
void run_undrawn(std::span<const UnitCase> cases, const Seed&, const Resources&,
                 const std::function<void(std::size_t, CaseResult)>& emit) {
  for (std::size_t i = 0; i < cases.size(); ++i) emit(i, case_as<Case>(cases[i]).compute());
}

using KindList = std::span<const Kind* const>;
// Generated from the files of experiments/.
KindList all_kinds();

}  // namespace sigstab
