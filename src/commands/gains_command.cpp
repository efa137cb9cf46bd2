// sigstab gains: what keeps an activation's sizes, at infinite width, and what a gain really does.

#include "theory/gains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/named_table.hpp"
#include "cli/files.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "math/rounding.hpp"
#include "report/cell_table.hpp"

namespace sigstab {
namespace {

constexpr double kDefaultBiases[] = {0, 0.0025, 0.01, 0.04, 0.05, 0.1, 0.25};
constexpr std::int64_t kDeepest = 100000;

struct GainsOptions {
  std::vector<std::string> activations;  // name, or name:parameter=value,...; empty: all
  double size = 1;                       // mean square
  std::int64_t depth = 50;
  bool edge = false;
  std::vector<double> weights, biases;  // variances: sw2 and sb2
  std::optional<double> layer_gain;
  std::string format = "table", only;  // only: one of kTables; empty: by the other options
};

// --- what was asked for -------------------------------------------------------------------------

struct Asked {
  std::string label;
  SizeMap map;
};

double read_number(const std::string& where, std::string_view text) {
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    throw Error(where, fmt::format("expected a number, got \"{}\"", text));
  }
  return number;
}

void read_parameter(const std::string& label, std::string_view text, Activation& f) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::span<const Parameter> parameters = f.row->parameters;
  const Parameter* parameter = find_row(parameters, name);
  if (parameter == nullptr) {
    throw Error(label, fmt::format("{} has no parameter \"{}\"", f.row->name, name),
                parameters.empty() ? "it has none" : name_hint(name, row_names(parameters)));
  }
  if (equals == std::string_view::npos) {
    throw Error(label, fmt::format("no value for \"{}\"", name),
                fmt::format("write {}:{}={}", f.row->name, name, parameter->fallback));
  }
  const double value = read_number(label, text.substr(equals + 1));
  if (value < parameter->low || value > parameter->high) {
    throw Error(label, fmt::format("expected {} in [{:g}, {:g}], got {:g}", name, parameter->low,
                                   parameter->high, value));
  }
  f.parameters[static_cast<std::size_t>(parameter - parameters.data())] = value;
}

// "leaky_relu:negative_slope=0.2"
Activation read_activation(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  Activation f{find_row(activation_table(), name), {}};
  if (f.row == nullptr) {
    throw Error("gains", fmt::format("unknown activation \"{}\"", name),
                name_hint(name, row_names(activation_table())));
  }
  if (f.row->gated) {
    throw Error("gains", fmt::format("{} is {}: it multiplies, and is no layer", name, f.row->help),
                "ask for that activation");
  }
  std::ranges::transform(f.row->parameters, f.parameters.begin(), &Parameter::fallback);
  if (colon == std::string::npos) return f;
  std::string_view rest = std::string_view(text).substr(colon + 1);
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    read_parameter(text, rest.substr(0, comma), f);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return f;
}

std::vector<Asked> read_activations(const std::vector<std::string>& texts) {
  std::vector<Asked> asked;
  for (const std::string& text : texts) asked.push_back({text, SizeMap(read_activation(text))});
  if (!asked.empty()) return asked;
  for (const ActivationRow& row : activation_table()) {
    if (row.gated) continue;
    const std::string name(row.name);
    asked.push_back({name, SizeMap(read_activation(name))});
  }
  return asked;
}

void check_options(const GainsOptions& options) {
  const auto positive = [](const std::string& flag, double value) {
    if (value >= 1e-30 && value <= 1e30) return;
    throw Error(flag, fmt::format("expected a number in [1e-30, 1e30], got {}", value));
  };
  positive("--size", options.size);
  for (double value : options.weights) positive("--weights", value);
  for (double value : options.biases) {
    if (value != 0) positive("--biases", value);
  }
  if (options.layer_gain) positive("--layer-gain", *options.layer_gain);
  if (options.depth < 1 || options.depth > kDeepest) {
    throw Error("--depth",
                fmt::format("expected an integer in [1, {}], got {}", kDeepest, options.depth));
  }
  if (!options.biases.empty() && !options.edge && options.weights.empty() &&
      options.activations.size() != 1 && options.only != "edge") {
    throw Error("--biases", "nothing here depends on it", "add --edge or --weights");
  }
}

// --- tables -------------------------------------------------------------------------------------

// Beyond this a slope of 1 cannot be told from what rounding leaves.
constexpr double kNeutral = 1e-9;
std::string stability(double size_slope) {
  if (std::fabs(size_slope - 1) <= kNeutral) return "neutral";
  return size_slope < 1 ? "stable" : "unstable";
}
std::string phase(double chi) {
  if (std::fabs(chi - 1) <= kNeutral) return "critical";
  return chi < 1 ? "ordered" : "chaotic";
}
Cell scale_of(double slope) {
  if (std::fabs(slope - 1) <= kNeutral) return std::string("never");
  return depth_scale(slope);
}

CellTable gains_table(const std::vector<Asked>& asked, const GainsOptions& options) {
  const double size = options.size;
  CellTable table{
      "gains",
      fmt::format("z ~ N(0, {:g}): moments of f(z), and gains that keep that size", size),
      {"activation", "mean", "second_moment", "slope_second_moment", "preactivation_gain",
       "output_gain", "backward_gain"},
      {}};
  for (const Asked& one : asked) {
    const LogMoments& m = one.map.at(std::log(size));
    const std::optional<double> output = output_gain(one.map, size);
    table.rows.push_back({one.label, mean_output(one.map.activation(), size), std::exp(m.second),
                          std::exp(m.slope_second), preactivation_gain(one.map, size),
                          output ? Cell(*output) : Cell(std::string("unreachable")),
                          backward_gain(one.map, size)});
  }
  return table;
}

CellTable effects_table(const std::vector<Asked>& asked, const GainsOptions& options) {
  const double size = options.size;
  CellTable table{
      "effects",
      fmt::format("plain layers f(W x), weights of variance gain^2 / fan_in: sizes after "
                  "{} from mean square {:g}",
                  options.depth, size),
      {"activation", "gain_of", "gain", "fixed_point", "chi_1", "size_slope", "stability",
       "forward_rms", "input_gradient_rms"},
      {}};
  const auto add = [&](const Asked& one, const char* of, double gain, double q) {
    const LayerVariances layer{gain * gain};
    const FixedPoint point = fixed_point_at(one.map, layer, q);
    const PassSizes sizes = sizes_after(one.map, layer, size, options.depth);
    table.rows.push_back({one.label, std::string(of), gain, q, point.chi_1, point.size_slope,
                          stability(point.size_slope), FromLog{sizes.log_forward},
                          FromLog{sizes.log_input_gradient}});
  };
  for (const Asked& one : asked) {
    add(one, "preactivation", preactivation_gain(one.map, size), size);
    if (const auto gain = output_gain(one.map, size)) {
      add(one, "output", *gain, *gain * *gain * size);
    }
    if (const auto gain = torch_gain(one.map.activation())) {
      const double start = std::log(*gain * *gain * size);
      add(one, "torch", *gain, limit_from(one.map, {*gain * *gain}, start).q);
    }
  }
  return table;
}

CellTable edge_table(const std::vector<Asked>& asked, const GainsOptions& options) {
  CellTable table{"edge",
                  "edge of chaos, chi_1 = 1: weights of variance weights / fan_in for biases of "
                  "variance biases",
                  {"activation", "biases", "weights", "fixed_point", "size_slope", "stability"},
                  {}};
  std::vector<double> biases = options.biases;
  if (biases.empty()) biases.assign(std::begin(kDefaultBiases), std::end(kDefaultBiases));
  for (const Asked& one : asked) {
    for (double variance : biases) {
      const Edge edge = edge_of_chaos(one.map, variance);
      if (edge.every) {
        table.rows.push_back(
            {one.label, variance, edge.weights, std::string("any"), 1.0, std::string("neutral")});
      } else if (edge.points.empty()) {
        table.rows.push_back({one.label, variance, std::string("none"), {}, {}, {}});
      }
      for (const EdgePoint& point : edge.points) {
        table.rows.push_back({one.label, variance, point.weights, point.q, point.size_slope,
                              stability(point.size_slope)});
      }
    }
  }
  return table;
}

CellTable fixed_points_table(const std::vector<Asked>& asked, const GainsOptions& options) {
  CellTable table{"fixed_points",
                  "fixed points of the size, and layers over which differences in direction and "
                  "size change by a factor e",
                  {"activation", "weights", "biases", "fixed_point", "chi_1", "phase",
                   "correlation_depth", "size_slope", "stability", "size_depth"},
                  {}};
  const std::vector<double> biases = options.biases.empty() ? std::vector{0.0} : options.biases;
  for (const Asked& one : asked) {
    for (double weights : options.weights) {
      for (double variance : biases) {
        const LayerVariances layer{weights, variance};
        const auto add = [&](Cell q, double chi, double slope) {
          table.rows.push_back({one.label, weights, variance, std::move(q), chi, phase(chi),
                                scale_of(chi), slope, stability(slope), scale_of(slope)});
        };
        const FixedPoints found = fixed_points(one.map, layer);
        if (found.every) {
          const FixedPoint any = fixed_point_at(one.map, layer, 1);
          add(std::string("any"), any.chi_1, any.size_slope);
          continue;
        }
        if (found.zero) add(0.0, fixed_point_at(one.map, layer, 0).chi_1, found.zero_slope);
        for (const FixedPoint& point : found.points) add(point.q, point.chi_1, point.size_slope);
        if (found.zero || !found.points.empty()) continue;
        table.rows.push_back(
            {one.label, weights, variance, std::string("none"), {}, {}, {}, {}, {}, {}});
      }
    }
  }
  return table;
}

// A size of 1 that every layer multiplies by `gain` reaches a limit at layer ln limit / ln gain.
CellTable formats_table(const std::vector<Asked>&, const GainsOptions& options) {
  const double gain = *options.layer_gain, step = std::log(gain);
  CellTable table{
      "formats",
      fmt::format("a size of 1 times {:g} a layer: the layer at which it is the largest "
                  "number, the smallest normal one, the smallest of all",
                  gain),
      {"format", "largest", "largest_at", "smallest_normal", "smallest_normal_at",
       "smallest_subnormal", "smallest_subnormal_at"},
      {}};
  const auto layer_of = [&](double limit) -> Cell {
    const double layer = std::log(limit) / step;
    return layer > 0 && std::isfinite(layer) ? Cell(layer) : Cell(std::string("never"));
  };
  for (const NumberFormat& format : kNumberFormats) {
    table.rows.push_back({std::string(format.name), format.largest, layer_of(format.largest),
                          format.smallest_normal, layer_of(format.smallest_normal),
                          format.smallest_subnormal, layer_of(format.smallest_subnormal)});
  }
  return table;
}

struct TableRow {
  std::string_view name;
  CellTable (*make)(const std::vector<Asked>&, const GainsOptions&);
  bool (*by_default)(const GainsOptions&);
  const char* needs;  // what must be given for it; null: nothing
};
bool asks_only_for_formats(const GainsOptions& o) {
  return o.activations.empty() && o.layer_gain && !o.edge && o.weights.empty();
}
constexpr TableRow kTables[] = {
    {"gains", gains_table, [](const GainsOptions& o) { return !asks_only_for_formats(o); },
     nullptr},
    {"effects", effects_table, [](const GainsOptions& o) { return !asks_only_for_formats(o); },
     nullptr},
    {"edge", edge_table, [](const GainsOptions& o) { return o.edge || o.activations.size() == 1; },
     nullptr},
    {"fixed_points", fixed_points_table, [](const GainsOptions& o) { return !o.weights.empty(); },
     "--weights"},
    {"formats", formats_table, [](const GainsOptions& o) { return o.layer_gain.has_value(); },
     "--layer-gain"},
};

std::vector<Option> options_of(GainsOptions& options) {
  return {{.name = "activation",
           .help = "sigstab list activations, or name:parameter=value (all)",
           .target = &options.activations,
           .value = "ACTIVATION"},
          {.name = "--size",
           .help = "mean square of the input and to be kept (1)",
           .target = &options.size,
           .value = "SIZE"},
          {.name = "--depth",
           .help = "layers to look through (50)",
           .target = &options.depth,
           .value = "N"},
          {.name = "--edge", .help = "variances on the edge of chaos", .target = &options.edge},
          {.name = "--weights",
           .help = "fixed points for these variances times fan_in",
           .target = &options.weights,
           .value = "VARIANCES"},
          {.name = "--biases",
           .help = "variances of biases, for --edge and --weights",
           .target = &options.biases,
           .value = "VARIANCES"},
          {.name = "--layer-gain",
           .help = "where number formats end if sizes are multiplied by this",
           .target = &options.layer_gain,
           .value = "GAIN"},
          {.name = "--only",
           .help = joined(row_names(kTables)),
           .target = &options.only,
           .value = "TABLE",
           .choices = row_names(kTables)},
          format_option(options.format, row_names(cell_formats()))};
}

ExitCode print_gains(const GainsOptions& options) {
  const CellFormat* format = find_row(cell_formats(), options.format);
  const TableRow* only = find_row(kTables, options.only);
  check_options(options);
  if (only != nullptr && only->needs != nullptr && !only->by_default(options)) {
    throw Error("--only", fmt::format("{} needs {}", only->name, only->needs));
  }
  const std::vector<Asked> asked = read_activations(options.activations);
  std::vector<CellTable> tables;
  for (const TableRow& row : kTables) {
    if (only != nullptr ? &row == only : row.by_default(options)) {
      tables.push_back(row.make(asked, options));
    }
  }
  print(format->render(tables));
  return ExitCode::ok;
}

}  // namespace

Command gains_command() {
  return make_command("gains", "gains of activations, and what they do", options_of, print_gains);
}

}  // namespace sigstab
