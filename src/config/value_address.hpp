#pragma once
// Which value of a result a figure is about: a case, one of its values, and which seeds.

#include <cstdint>
#include <string>
#include <vector>

#include "json/field.hpp"
#include "json/json.hpp"
#include "json/object_reader.hpp"
#include "result/result.hpp"
#include "result/statistic.hpp"

namespace sigstab {

struct ValueAddress {
  std::string case_name;
  std::vector<NamedScalar> point;
  std::string seed;                         // decimal; empty: the only seed, or all of them
  bool over_seeds = false;                  // all seeds of one case
  const StatisticRow* statistic = nullptr;  // of these
  std::string column;    // a column if `row` is given, else a scalar; empty for a line of text
  std::int64_t row = 0;  // from 1
  bool whole_column = false;
};

// A case that will run, with each of its seeds.
struct ComingCase {
  CaseResult shape;
  std::int64_t rows;
  std::vector<std::string> seeds;  // one empty text where nothing is drawn
};

// The keys of an address; `row_key` is "layer" or what the kind calls a row.
std::vector<Field> address_fields(const std::string& row_key);

// What an address is for, which decides what it must pick out.
enum class AddressUse { line, value, value_of_every_seed };

// A case that was found by its case, point and seed, and the address of a value in it.
struct Addressed {
  ValueAddress address;
  const ComingCase* coming;

  // An instance of what the value will be; a real number for a column's row.
  Scalar example() const;
  // Whether that is one real number, in each seed.
  bool is_real() const;
};

// Reads the address keys of an object that may hold others as well.
// Errors: an address that matches no case, column, row or seed, or more than one.
Addressed read_address(const ObjectReader& entry, const std::string& row_key, AddressUse use,
                       const std::vector<ComingCase>& cases);

}  // namespace sigstab
