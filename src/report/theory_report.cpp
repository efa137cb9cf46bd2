#include "report/theory_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "base/error.hpp"
#include "json/json.hpp"
#include "report/headings.hpp"
#include "report/result_tables.hpp"
#include "report/text_grid.hpp"
#include "result/size_verdict.hpp"
#include "theory/theory.hpp"

namespace sigstab {
namespace {

constexpr double kInDouble = 690;  // |ln| of what exp can give in full

const CaseTheory& theory_of(const Plan& plan, const PlannedCase& planned) {
  const CaseTheory* theory = planned.model->theory();
  if (theory == nullptr) {
    throw Error(plan.experiment,
                fmt::format("theory is of stacks of layers, and this is of the kind \"{}\"",
                            plan.kind->name),
                "use run, which prints what its formulas say");
  }
  return *theory;
}

// The case as its heading needs it: a theory has no seed.
CaseResult heading_of(const PlannedCase& planned) {
  CaseResult one = planned.model->shape();
  identify(one, planned, "");
  return one;
}

std::string band_text(const Band& band) {
  return fmt::format("{} to {}", size_text(band.quantiles.front()),
                     size_text(band.quantiles.back()));
}

// One column of a table: a heading, and a cell for every layer from 0.
struct TheoryTableColumn {
  std::string heading;
  std::function<std::string(std::size_t layer)> cell;
};

std::vector<TheoryTableColumn> columns_of(const CaseTheory& one, const Theory& theory) {
  const auto& layers = theory.prediction.layers;
  std::vector<TheoryTableColumn> columns;
  const auto add = [&](const char* heading, double LayerPrediction::*size) {
    columns.push_back({heading, [&layers, size](std::size_t layer) {
                         return layer == 0 && std::isnan(layers[0].*size)
                                    ? ""
                                    : size_text(layers[layer].*size);
                       }});
  };
  const auto add_band = [&](const std::vector<Band>& bands) {
    if (bands.empty()) return;
    columns.push_back(
        {"95% of draws", [&bands](std::size_t layer) { return band_text(bands[layer]); }});
  };
  add("forward_rms", &LayerPrediction::forward);
  add_band(theory.bands.forward);
  if (one.predicts_gradients()) {
    add("gradient_rms", &LayerPrediction::gradient);
    add_band(theory.bands.gradient);
  }
  add("preactivation_rms", &LayerPrediction::preactivation);
  if (one.model().stack.residual.present()) add("branch_rms", &LayerPrediction::branch);
  if (!std::isnan(layers[0].cosine)) {
    columns.push_back(
        {"cosine", [&layers](std::size_t layer) { return digits(layers[layer].cosine); }});
  }
  return columns;
}

TextGrid grid_of(const PlannedCase& planned, const CaseTheory& one, const Theory& theory) {
  const std::vector<TheoryTableColumn> columns = columns_of(one, theory);
  TextGrid grid(1, {"layer"});
  for (const TheoryTableColumn& column : columns) grid[0].push_back(column.heading);
  std::vector<std::int64_t> rows = planned.report.rows;
  if (rows.empty()) rows = story_rows(one.model().stack.depth);
  rows.insert(rows.begin(), 0);
  for (const std::int64_t row : rows) {
    grid.push_back({row == 0 ? "input" : fmt::format("{}", row)});
    for (const TheoryTableColumn& column : columns) {
      grid.back().push_back(column.cell(static_cast<std::size_t>(row)));
    }
  }
  if (one.model().stack.final_norm) {
    grid.push_back({"output", size_text(theory.prediction.output)});
    grid.back().resize(grid[0].size());
  }
  return grid;
}

// As the dtype would hold it: infinite or 0 beyond its range.
std::vector<double> sizes_in(const NumberFormat& format, const MeanFieldPrediction& prediction,
                             double LayerPrediction::*size) {
  std::vector<double> sizes;
  for (const LayerPrediction& layer : prediction.layers) {
    const double value = std::exp(layer.*size);
    sizes.push_back(value > format.largest              ? HUGE_VAL
                    : value < format.smallest_subnormal ? 0
                                                        : value);
  }
  return sizes;
}

std::vector<std::string> lines_of(const CaseTheory& one, const Theory& theory) {
  const MeanFieldPrediction& prediction = theory.prediction;
  std::vector<std::string> lines;
  const auto tell = [&](const char* what, double LayerPrediction::*size, Direction way) {
    const NumberFormat& format = one.model().dtype->format();
    for (std::string& line : tell_lines(what, sizes_in(format, prediction, size), format, way)) {
      lines.push_back(std::move(line));
    }
  };
  tell("forward", &LayerPrediction::forward, Direction::forward);
  const bool gradients = one.predicts_gradients();
  if (gradients && !std::isnan(prediction.layers.front().gradient)) {
    tell("gradient", &LayerPrediction::gradient, Direction::backward);
  }
  std::string last = fmt::format("at layer {}:", one.model().stack.depth);
  if (gradients) last += fmt::format(" chi_1 {},", digits(prediction.last_multiplier));
  last += fmt::format(" size slope {}", digits(prediction.size_slope));
  lines.push_back(last);
  if (!theory.bands.refusal.empty()) lines.push_back("no bands: " + theory.bands.refusal);
  for (const std::string& note : prediction.notes) lines.push_back("note: " + note);
  return lines;
}

// --- JSON ---------------------------------------------------------------------------------------

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

void add_size(Json& entry, const std::string& name, double log_size) {
  if (std::isnan(log_size)) {
    entry[name] = nullptr;
    return;
  }
  const bool in_range = log_size == -HUGE_VAL || std::fabs(log_size) < kInDouble;
  entry[name] = in_range ? Json(std::exp(log_size)) : Json();
  entry["log10_" + name] = number_or_null(log_size / std::numbers::ln10);
}

void add_band(Json& entry, const std::string& name, const std::vector<Band>& bands,
              std::size_t layer) {
  if (layer >= bands.size()) return;
  const Band& band = bands[layer];
  Json quantiles = Json::array();
  for (double q : band.quantiles) quantiles.push_back(number_or_null(q / std::numbers::ln10));
  entry[name] = {{"log10_quantiles", std::move(quantiles)},
                 {"ln_mean", number_or_null(band.mean)},
                 {"ln_deviation", number_or_null(band.deviation)}};
}

Json layer_json(const CaseTheory& one, const Theory& theory, std::size_t layer) {
  const LayerPrediction& here = theory.prediction.layers[layer];
  Json entry = {{"layer", layer}};
  add_size(entry, "forward_rms", here.forward);
  add_band(entry, "forward_band", theory.bands.forward, layer);
  if (one.predicts_gradients()) {
    add_size(entry, "gradient_rms", here.gradient);
    add_band(entry, "gradient_band", theory.bands.gradient, layer);
  }
  if (!std::isnan(here.cosine)) entry["cosine"] = here.cosine;
  if (layer == 0) return entry;
  add_size(entry, "preactivation_rms", here.preactivation);
  add_size(entry, "branch_rms", here.branch);
  if (here.weight_gradients.empty()) return entry;
  add_size(entry, "branch_gradient_rms", here.branch_gradient);
  const std::vector<MatrixSpec> matrices = block_matrices(one.model().stack);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    Json gradient = {{"name", matrices[i].name}};
    add_size(gradient, "rms", here.weight_gradients[i]);
    entry["weight_gradients"].push_back(std::move(gradient));
  }
  return entry;
}

Json case_json(const PlannedCase& planned, const CaseTheory& one, const Theory& theory) {
  Json entry = {{"name", planned.name}, {"point", Json::object()}};
  for (const NamedScalar& key : planned.point) {
    std::visit([&](const auto& value) { entry["point"][key.name] = value; }, key.value);
  }
  const MeanFieldPrediction& prediction = theory.prediction;
  if (!prediction.refusal.empty()) {
    entry["refusal"] = prediction.refusal;
    return entry;
  }
  if (!theory.bands.refusal.empty()) entry["no_bands"] = theory.bands.refusal;
  entry["notes"] = prediction.notes;
  entry["chi_1"] = number_or_null(prediction.last_multiplier);
  entry["size_slope"] = number_or_null(prediction.size_slope);
  add_size(entry, "output_rms", prediction.output);
  const std::vector<std::int64_t>& rows = planned.report.rows;
  for (std::size_t layer = 0; layer < prediction.layers.size(); ++layer) {
    if (layer > 0 && !rows.empty() &&
        !std::ranges::binary_search(rows, static_cast<std::int64_t>(layer))) {
      continue;
    }
    entry["layers"].push_back(layer_json(one, theory, layer));
  }
  return entry;
}

}  // namespace

std::string size_text(double log_size) {
  if (std::isnan(log_size)) return "-";
  if (log_size == -HUGE_VAL || std::fabs(log_size) < kInDouble) return digits(std::exp(log_size));
  const double log10 = log_size / std::numbers::ln10;
  double exponent = std::floor(log10);
  std::string mantissa = fmt::format("{:.3f}", std::pow(10.0, log10 - exponent));
  if (mantissa == "10.000") {
    mantissa = "1.000";
    ++exponent;
  }
  return fmt::format("{}e{:+.0f}", mantissa, exponent);
}

std::string theory_table(const Plan& plan) {
  std::vector<CaseResult> headed;
  for (const PlannedCase& planned : plan.cases) headed.push_back(heading_of(planned));
  const Headings headings(headed);
  std::string text = headline(plan.experiment, plan.title) + "\n";
  if (!headings.top().empty()) text += headings.top() + "\n";
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const CaseTheory& one = theory_of(plan, plan.cases[i]);
    const Theory& theory = one.of(true);
    const std::string heading = headings.of(headed[i]);
    text += "\n";
    if (!heading.empty()) text += heading + "\n";
    if (!theory.prediction.refusal.empty()) {
      text += "  no prediction: " + theory.prediction.refusal + "\n";
      continue;
    }
    text += aligned(grid_of(plan.cases[i], one, theory));
    for (const std::string& line : lines_of(one, theory)) text += "  " + line + "\n";
  }
  return text;
}

std::string theory_json(const Plan& plan) {
  Json frame = {{"schema", 1},
                {"experiment", plan.experiment},
                {"title", plan.title},
                {"config", Json::parse(plan.resolved)},
                {"cases", Json::array()}};
  for (const PlannedCase& planned : plan.cases) {
    const CaseTheory& one = theory_of(plan, planned);
    frame["cases"].push_back(case_json(planned, one, one.of(true)));
  }
  return frame.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sigstab
