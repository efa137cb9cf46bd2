// sigstab inspect: how large the weights of a checkpoint are, beside what an init would make them.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/named_table.hpp"
#include "base/printable.hpp"
#include "checkpoint/inspect.hpp"
#include "cli/files.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "json/json.hpp"
#include "model/model_fields.hpp"
#include "report/cell_table.hpp"

namespace sigstab {
namespace {

struct InspectCommandOptions {
  std::string model, format = "table", layout = "out_in", sort;
  std::vector<std::string> filters;
  std::optional<double> spread;
  bool group = false, reverse = false, verbose = false;
  LimitOptions limits;
};

void note(const std::string& text) { std::fprintf(stderr, "sigstab: note: %s\n", text.c_str()); }

// What the heading says the config's spread is, and where it is from.
struct ConfigSpread {
  double value = std::nan("");
  std::string source;
};

// A model's config.json lies beside it and may name its initializer_range.
ConfigSpread spread_beside(const std::string& model) {
  const std::filesystem::path path = std::filesystem::path(model).parent_path() / "config.json";
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  const std::string file = printable(path.string());
  try {
    const Json config = parse_json(read_file(path.string()), file);
    if (!config.is_object() || !config.contains("initializer_range")) return {};
    const Json& range = config["initializer_range"];
    if (range.is_number() && range.get<double>() > 0) return {range.get<double>(), file};
    note(fmt::format("{}: initializer_range is {}, and no spread", file, printable(shown(range))));
  } catch (const Error& error) {
    note(fmt::format("{}; --spread gives what it may hold", error.what()));
  }
  return {};
}

ConfigSpread config_spread(const InspectCommandOptions& options, const std::string& model) {
  if (!options.spread) return spread_beside(model);
  if (*options.spread > 0 && std::isfinite(*options.spread)) return {*options.spread, "--spread"};
  throw Error("--spread", fmt::format("expected a positive number, got {}", *options.spread));
}

Cell cell_of(const InspectColumn& column, const InspectedTensors& row, double spread) {
  if (column.text != nullptr) return column.text(row);
  const double value = column.number(row, spread);
  if (std::isnan(value)) return std::monostate();
  if (column.whole) return static_cast<std::int64_t>(value);
  return value;
}

// By the column's numbers, largest first and what has none last; by its text, in natural order.
void sort_rows(const InspectColumn& column, double spread, std::vector<InspectedTensors>& rows) {
  std::ranges::stable_sort(rows, [&](const InspectedTensors& a, const InspectedTensors& b) {
    if (column.text != nullptr) return natural_less(column.text(a), column.text(b));
    const double x = column.number(a, spread), y = column.number(b, spread);
    return std::isnan(y) ? !std::isnan(x) : x > y;
  });
}

std::vector<const InspectColumn*> columns_of(const InspectCommandOptions& options,
                                             const std::vector<InspectedTensors>& rows,
                                             double spread) {
  const bool for_people = options.format == "table" || options.format == "markdown";
  const auto other = options.group ? InspectColumn::Of::tensors : InspectColumn::Of::groups;
  std::vector<const InspectColumn*> columns;
  for (const InspectColumn& column : inspect_column_table()) {
    if (column.of == other || (for_people && column.detail)) continue;
    const bool empty = column.text == nullptr && std::ranges::all_of(rows, [&](const auto& row) {
                         return std::isnan(column.number(row, spread));
                       });
    if (!for_people || !empty) columns.push_back(&column);
  }
  return columns;
}

std::string title_of(const Checkpoint& checkpoint, const std::vector<InspectedTensors>& rows,
                     const InspectCommandOptions& options, const ConfigSpread& config) {
  std::size_t tensors = 0;
  std::uint64_t numbers = 0;
  double bytes = 0;
  for (const InspectedTensors& row : rows) {
    tensors += row.tensors.size();
    for (const Checkpoint::Tensor* tensor : row.tensors) {
      numbers += tensor->stored.count();
      bytes += static_cast<double>(tensor->stored.bytes);
    }
  }
  std::string title =
      fmt::format("{}: {} tensor{}, {} numbers, {:.4g} MB; fans {}", printable(checkpoint.path()),
                  tensors, tensors == 1 ? "" : "s", numbers, bytes / 1e6, options.layout);
  if (!config.source.empty()) {
    title += fmt::format("; config's spread {:g} ({})", config.value, config.source);
  }
  return title;
}

void tell_what_is_odd(const Checkpoint& checkpoint, const std::vector<InspectedTensors>& rows) {
  for (const std::string& text : checkpoint.notes()) note(text);
  std::uint64_t not_finite = 0;
  std::string first;
  for (const InspectedTensors& row : rows) {
    for (std::size_t i = 0; i < row.tallies.size(); ++i) {
      if (row.tallies[i].not_finite > 0 && first.empty()) first = row.tensors[i]->stored.name;
      not_finite += row.tallies[i].not_finite;
    }
  }
  if (not_finite == 0) return;
  note(fmt::format("{} number{} not finite and left out, first in {}", not_finite,
                   not_finite == 1 ? " is" : "s are", in_quotes(first)));
}

// The column to sort by; null where none is asked for.
const InspectColumn* sort_column(const InspectCommandOptions& options) {
  if (options.sort.empty()) return nullptr;
  const InspectColumn* by = find_row(inspect_column_table(), options.sort);
  const auto other = options.group ? InspectColumn::Of::tensors : InspectColumn::Of::groups;
  if (by->of != other) return by;
  Names known;
  for (const InspectColumn& column : inspect_column_table()) {
    if (column.of != other) known.push_back(column.name);
  }
  throw Error("--sort",
              fmt::format("{} is a column {} --group", by->name, options.group ? "without" : "of"),
              "known here: " + joined(known));
}

ExitCode inspect(const InspectCommandOptions& options) {
  const Limits limits = options.limits.limits();
  const InspectColumn* by = sort_column(options);
  const Checkpoint checkpoint(options.model);
  const ConfigSpread config = config_spread(options, checkpoint.path());
  const InspectOptions asked = {options.filters, find_row(kLayouts, options.layout)->value,
                                options.group};
  std::vector<InspectedTensors> rows = list_tensors(checkpoint, asked);
  const auto start = std::chrono::steady_clock::now();
  Team team(limits.threads);
  const std::uint64_t bytes = measure_tensors(team, rows);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  tell_what_is_odd(checkpoint, rows);
  if (options.verbose) {
    note(fmt::format("read and measured {:.4g} MB in {:.3f} s, {:.2f} GB/s",
                     static_cast<double>(bytes) / 1e6, took.count(),
                     static_cast<double>(bytes) / 1e9 / took.count()));
  }
  const std::vector<const InspectColumn*> columns = columns_of(options, rows, config.value);
  if (by != nullptr) sort_rows(*by, config.value, rows);
  if (options.reverse) std::ranges::reverse(rows);
  CellTable table{"tensors", title_of(checkpoint, rows, options, config), {}, {}, "#.4g", 1};
  for (const InspectColumn* column : columns) table.columns.emplace_back(column->name);
  for (const InspectedTensors& row : rows) {
    table.rows.emplace_back();
    for (const InspectColumn* column : columns) {
      table.rows.back().push_back(cell_of(*column, row, config.value));
    }
  }
  print(find_row(cell_formats(), options.format)->render(std::span(&table, 1)));
  return ExitCode::ok;
}

std::vector<Option> options_of(InspectCommandOptions& options) {
  return {{.name = "model",
           .help = "a .safetensors file, its .index.json, or their folder",
           .target = &options.model,
           .value = "MODEL",
           .required = true},
          {.name = "--filter",
           .help = "only tensors of this name: * any text, ? a character, {layer} a number",
           .target = &options.filters,
           .value = "PATTERN"},
          {.name = "--group",
           .help = "one row for all layers, with the range over them",
           .target = &options.group},
          {.name = "--sort",
           .help = "by a column: numbers largest first, text in its order (name)",
           .target = &options.sort,
           .value = "COLUMN",
           .choices = row_names(inspect_column_table())},
          {.name = "--reverse", .help = "the last row first", .target = &options.reverse},
          {.name = "--spread",
           .help = "the config's spread to show beside (initializer_range of config.json)",
           .target = &options.spread,
           .value = "SPREAD"},
          {.name = "--layout",
           .help = "what stored matrices are: fan_out x fan_in, or in_out as GPT-2's (out_in)",
           .target = &options.layout,
           .value = "LAYOUT",
           .choices = row_names(kLayouts)},
          threads_option(options.limits),
          {.name = "--verbose",
           .help = "tell how fast it read",
           .target = &options.verbose,
           .letter = 'v'},
          format_option(options.format, row_names(cell_formats()))};
}

}  // namespace

Command inspect_command() {
  return make_command("inspect", "sizes of the weights in a safetensors checkpoint", options_of,
                      inspect);
}

}  // namespace sigstab
