#pragma once
// What a run measured: the value between run, render, check and diff.
//
// A result is a list of cases, one for each (seed, case, grid point), in that order with seeds
// slowest. A case has scalars and columns; a column has one value a row, and rows are layers, from
// 1, or whatever the kind of experiment counts.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/format_spec.hpp"
#include "result/size_verdict.hpp"

namespace sigstab {

struct NamedScalar {
  std::string name;
  Scalar value;
};

enum class ColumnRole {
  measured,
  predicted,  // by theory, the same for every seed; nan where it says nothing
  score,      // of what was measured against what was predicted; nan likewise
  count,      // a whole number of the config's, the same for every seed
};

// How verdicts tell a column's sizes: "forward holds: ...".
struct Told {
  std::string_view what;
  Direction direction;
};

struct Column {
  std::string name;  // a matrix's own column is "measure.matrix", such as weight_gradient_rms.W2
  std::vector<double> values = {};
  // The scalars that continue the column: before its first row, and after the last.
  std::string input_scalar = "", output_scalar = "";
  std::string label = "";  // its heading, if that is not its name
  bool is_size = true;     // multiplies from layer to layer: averaged by its geometric mean
  ColumnRole role = ColumnRole::measured;
  bool is_coordinate = false;  // where a row stands, rather than what was found there
  std::optional<Told> told = std::nullopt;

  // Whether theory says nothing of any row.
  bool is_absent() const;
};

struct CaseResult {
  std::string name;
  std::vector<NamedScalar> point;         // the grid point, key by key
  std::string seed;                       // decimal; empty where nothing is drawn
  std::vector<NamedScalar> facts;         // what the config says, for lines of text
  std::vector<std::string> traits;        // the same in words, for headings, without defaults
  std::vector<NamedScalar> scalars;       // measured
  std::vector<Column> columns;            // measured
  std::vector<std::string> verdicts;      // what happened, in words
  std::size_t planned = 0;                // index of its case in the plan that ran it
  std::vector<std::int64_t> row_numbers;  // read from a file that holds only some; empty: 1, 2, ...

  const Scalar* scalar(std::string_view name) const;  // measured, or a fact; null without one
  const Column* column(std::string_view name) const;
  // Of a measured scalar that the shape named.
  void set_scalar(std::string_view name, double value);
  // Of a scalar: that of the column which it continues.
  ColumnRole role_of(std::string_view scalar) const;
  // Of a column, or of a scalar that continues one.
  bool is_size(std::string_view name) const;
  std::int64_t rows() const;
  // "name, depth=6": how people tell this case from the others; empty if there is nothing to say.
  std::string label() const;
};

// How a result came about. Never compared.
struct Provenance {
  std::string version, revision, build_type, compiler, blas, blas_core;
  int threads = 1;
};

struct Result {
  std::string experiment, kind, row_name, title, source;
  std::string config = "{}";  // the resolved config, JSON text
  Provenance provenance;
  bool complete = true;
  std::vector<CaseResult> cases;
};

// "layer" -> "layers", "entry" -> "entries".
std::string plural(std::string_view noun);

}  // namespace sigstab
