#pragma once
// All keys of a config of one kind: the common ones, the kind's own, and those of its report.

#include <string_view>
#include <vector>

#include "config/report_spec.hpp"
#include "json/field.hpp"
#include "kinds/kind.hpp"

namespace sigstab {

// The names of all kinds, with their help.
Names kind_names();

class KeyTable {
 public:
  explicit KeyTable(const Kind& kind);
  // The table points into this value.
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;

  const ObjectTable& table() const { return table_; }

 private:
  ReportKeys report_;
  std::vector<Field> fields_;
  ObjectTable table_;
};

}  // namespace sigstab
