#include "result/result_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "json/json.hpp"
#include "random/seed.hpp"
#include "result/aggregate.hpp"
#include "result/csv.hpp"

namespace sigstab {
namespace {

constexpr int kSchema = 1;

// Where theory says nothing the value is null.
Json value_json(ColumnRole role, double value) {
  return role != ColumnRole::measured && std::isnan(value) ? Json() : number_json(value);
}

Json scalar_json(const Scalar& scalar) {
  if (const auto* real = std::get_if<double>(&scalar)) return number_json(*real);
  return std::visit([](const auto& value) { return Json(value); }, scalar);
}

// "weight_gradient_rms.W2": the measure of one matrix, grouped with its others.
struct MatrixColumn {
  std::string group, measure, matrix;  // "weight_gradients", "rms", "W2"
};

bool split_matrix_column(const std::string& name, MatrixColumn& parts) {
  const std::size_t dot = name.find('.');
  const std::size_t underscore = name.rfind('_', dot);
  if (dot == std::string::npos || underscore == std::string::npos) return false;
  parts = {name.substr(0, underscore) + "s", name.substr(underscore + 1, dot - underscore - 1),
           name.substr(dot + 1)};
  return true;
}

Json row_json(const CaseResult& one, std::size_t row, const std::string& row_name) {
  Json entry = {{row_name, row + 1}};
  for (const Column& column : one.columns) {
    const Json value = value_json(column.role, column.values[row]);
    MatrixColumn parts;
    if (!split_matrix_column(column.name, parts)) {
      entry[column.name] = value;
      continue;
    }
    Json& group = entry[parts.group];
    const auto same = [&](const Json& item) { return item["name"] == parts.matrix; };
    auto item = std::find_if(group.begin(), group.end(), same);
    if (item == group.end()) {
      group.push_back({{"name", parts.matrix}});
      item = group.end() - 1;
    }
    (*item)[parts.measure] = value;
  }
  return entry;
}

// A number up to 2^64 - 1, a string above, as in configs.
Json seed_json(const std::string& text) {
  const auto seed = Seed::parse(text);
  return seed && seed->as_uint64() ? Json(*seed->as_uint64()) : Json(text);
}

Json case_json(const CaseResult& one, const std::string& row_name) {
  Json entry = {{"name", one.name}, {"point", Json::object()}};
  for (const NamedScalar& key : one.point) entry["point"][key.name] = scalar_json(key.value);
  if (!one.seed.empty()) entry["seed"] = seed_json(one.seed);
  Json rows = Json::array();
  for (std::size_t row = 0; row < static_cast<std::size_t>(one.rows()); ++row) {
    rows.push_back(row_json(one, row, row_name));
  }
  entry[plural(row_name)] = std::move(rows);
  for (const NamedScalar& scalar : one.scalars) {
    const auto* real = std::get_if<double>(&scalar.value);
    entry[scalar.name] =
        real != nullptr ? value_json(one.role_of(scalar.name), *real) : scalar_json(scalar.value);
  }
  entry["verdicts"] = one.verdicts;
  return entry;
}

// "forward_rms mean" of an aggregate: {"forward_rms": {"mean": ...}}.
void add_statistic(Json& entry, const std::string& name, double value) {
  const std::size_t space = name.rfind(' ');
  if (space == std::string::npos) {  // theory, which has no statistics
    entry[name] = value_json(ColumnRole::predicted, value);
    return;
  }
  entry[name.substr(0, space)][name.substr(space + 1)] = number_json(value);
}

// One entry a (case, grid point), where there are several seeds: every statistic of every value.
Json aggregates_json(const Result& result) {
  Json list = Json::array();
  if (!has_several_seeds(result)) return list;
  std::vector<const StatisticRow*> statistics;
  for (const StatisticRow& row : statistic_table()) statistics.push_back(&row);
  for (const CaseResult& one : aggregate(result, statistics).cases) {
    Json entry = {{"name", one.name}, {"point", Json::object()}};
    for (const NamedScalar& key : one.point) entry["point"][key.name] = scalar_json(key.value);
    Json rows = Json::array();
    for (std::size_t row = 0; row < static_cast<std::size_t>(one.rows()); ++row) {
      rows.push_back({{result.row_name, row + 1}});
      for (const Column& column : one.columns) {
        add_statistic(rows.back(), column.name, column.values[row]);
      }
    }
    entry[plural(result.row_name)] = std::move(rows);
    for (const NamedScalar& scalar : one.scalars) {
      add_statistic(entry, scalar.name, std::get<double>(scalar.value));
    }
    list.push_back(std::move(entry));
  }
  return list;
}

// What every line of a jsonl says beside its case.
Json line_frame_json(const Result& result) {
  return {{"schema", kSchema},
          {"experiment", result.experiment},
          {"kind", result.kind},
          {"row", result.row_name}};
}

// What is said once. A config may be as long as all results, so lines must not each parse it.
Json frame_json(const Result& result) {
  const Provenance& p = result.provenance;
  Json frame = line_frame_json(result);
  frame["title"] = result.title;
  frame["source"] = result.source;
  frame["config"] = Json::parse(result.config);
  frame["provenance"] = {
      {"version", p.version},   {"revision", p.revision}, {"build_type", p.build_type},
      {"compiler", p.compiler}, {"blas", p.blas},         {"blas_core", p.blas_core},
      {"threads", p.threads}};
  return frame;
}

// --- reading ------------------------------------------------------------------------------------

bool read_number(const Json& value, double& number) {
  if (value.is_number()) {
    number = value.get<double>();
    return true;
  }
  if (value == "nan" || value.is_null())
    number = std::numeric_limits<double>::quiet_NaN();
  else if (value == "inf")
    number = std::numeric_limits<double>::infinity();
  else if (value == "-inf")
    number = -std::numeric_limits<double>::infinity();
  else
    return false;
  return true;
}

void add_cell(CaseResult& one, const std::string& name, std::size_t row, const Json& value,
              const std::string& file) {
  double number = 0;
  if (!read_number(value, number)) refuse_result(file, fmt::format("{} is {}", name, shown(value)));
  auto column = std::ranges::find(one.columns, name, &Column::name);
  if (column == one.columns.end()) {
    one.columns.push_back({.name = name});
    column = one.columns.end() - 1;
  }
  column->values.resize(row, std::numeric_limits<double>::quiet_NaN());
  column->values.push_back(number);
}

void read_row(CaseResult& one, const Json& entry, std::size_t row, const std::string& row_name,
              const std::string& file) {
  if (!entry.is_object()) refuse_result(file, "a row is " + shown(entry));
  const auto number = entry.find(row_name);
  if (number == entry.end() || !number->is_number_unsigned()) {
    refuse_result(file, fmt::format("a row has no {} number", row_name));
  }
  one.row_numbers.push_back(number->get<std::int64_t>());
  for (const auto& [key, value] : entry.items()) {
    if (key == row_name) continue;
    if (!value.is_array()) {
      add_cell(one, key, row, value, file);
      continue;
    }
    for (const Json& item : value) {
      if (!item.is_object() || !item.contains("name") || !item["name"].is_string()) {
        refuse_result(file, fmt::format("{} holds {}", key, shown(item)));
      }
      for (const auto& [measure, size] : item.items()) {
        if (measure == "name") continue;
        const std::string name = fmt::format("{}_{}.{}", key.substr(0, key.size() - 1), measure,
                                             item["name"].get<std::string>());
        add_cell(one, name, row, size, file);
      }
    }
  }
}

// A string's characters; nothing of what is no string.
std::string plain_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

Provenance read_provenance(const Json& frame) {
  const Json p = frame.value("provenance", Json::object());
  if (!p.is_object()) return {};
  const auto text = [&](const char* key) { return plain_text(p.value(key, Json())); };
  const Json threads = p.value("threads", Json());
  return {text("version"),
          text("revision"),
          text("build_type"),
          text("compiler"),
          text("blas"),
          text("blas_core"),
          threads.is_number_integer() ? threads.get<int>() : 1};
}

CaseResult read_case(const Json& entry, const std::string& row_name, const std::string& file) {
  if (!entry.is_object()) refuse_result(file, "a case is " + shown(entry));
  CaseResult one;
  for (const auto& [key, value] : entry.items()) {
    double number = 0;
    if (key == "verdicts" && value.is_array()) {
      for (const Json& verdict : value) one.verdicts.push_back(plain_text(verdict));
    } else if (key == "name" && value.is_string()) {
      one.name = value.get<std::string>();
    } else if (key == "seed") {
      one.seed = value.is_string() ? value.get<std::string>() : value.dump();
    } else if (key == "point" && value.is_object()) {
      for (const auto& [name, at] : value.items()) one.point.push_back({name, scalar_from(at)});
    } else if (key == plural(row_name) && value.is_array()) {
      for (std::size_t row = 0; row < value.size(); ++row) {
        read_row(one, value[row], row, row_name, file);
      }
    } else if (read_number(value, number)) {
      one.scalars.push_back({key, number});
    }
  }
  return one;
}

}  // namespace

Result result_from(const Json& frame, const std::string& file) {
  const auto text = [&](const char* key) {
    if (!frame.contains(key) || !frame[key].is_string())
      refuse_result(file, fmt::format("no {}", key));
    return frame[key].get<std::string>();
  };
  if (!frame.is_object() || !frame.contains("schema")) refuse_result(file, "no schema");
  if (frame["schema"] != kSchema) {
    throw Error(file, fmt::format("schema {}, expected {}", frame["schema"].dump(), kSchema),
                "use the version of sigstab that wrote it");
  }
  Result result;
  result.experiment = text("experiment");
  result.kind = text("kind");
  result.row_name = text("row");
  result.title = plain_text(frame.value("title", Json()));
  result.source = plain_text(frame.value("source", Json()));
  result.provenance = read_provenance(frame);
  result.config = frame.contains("config") ? frame["config"].dump() : "{}";
  if (const auto complete = frame.find("complete"); complete != frame.end()) {
    if (!complete->is_boolean()) refuse_result(file, "complete is " + shown(*complete));
    result.complete = complete->get<bool>();
  }
  if (!frame.contains("cases") || !frame["cases"].is_array()) refuse_result(file, "no cases");
  for (const Json& entry : frame["cases"]) {
    result.cases.push_back(read_case(entry, result.row_name, file));
  }
  return result;
}

void refuse_result(const std::string& file, const std::string& what) {
  throw Error(file, "not a sigstab result: " + what, "write one with: sigstab run ... -o " + file);
}

std::string write_json(const Result& result) {
  Json frame = frame_json(result);
  frame["complete"] = result.complete;  // of the run, which a line cannot know
  frame["cases"] = Json::array();
  for (const CaseResult& one : result.cases)
    frame["cases"].push_back(case_json(one, result.row_name));
  if (Json aggregates = aggregates_json(result); !aggregates.empty()) {
    frame["aggregates"] = std::move(aggregates);
  }
  return frame.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string jsonl_line(const Result& frame, const CaseResult& one, bool first) {
  Json line = first ? frame_json(frame) : line_frame_json(frame);
  line["cases"] = Json::array({case_json(one, frame.row_name)});
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string write_jsonl(const Result& result) {
  std::string text;
  for (const CaseResult& one : result.cases) text += jsonl_line(result, one, text.empty());
  return text;
}

bool holds_result(std::string_view text) {
  const auto has_schema = [](std::string_view json) {
    const Json value = Json::parse(json, nullptr, false);
    return value.is_object() && value.contains("schema");
  };
  return has_schema(text.substr(0, text.find('\n'))) || has_schema(text);
}

Result read_json(std::string_view text, const std::string& file) {
  return result_from(parse_json(text, file), file);
}

std::vector<Result> read_jsonl(std::string_view text, const std::string& file) {
  std::vector<Result> results;
  std::size_t line_number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (line.empty()) continue;
    Result one = result_from(parse_json(line, fmt::format("{} line {}", file, line_number)), file);
    const auto same = std::ranges::find(results, one.experiment, &Result::experiment);
    if (same == results.end()) {
      results.push_back(std::move(one));
    } else {
      std::ranges::move(one.cases, std::back_inserter(same->cases));
    }
  }
  return results;
}

}  // namespace sigstab
