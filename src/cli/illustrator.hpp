#pragma once
// The pictures of a report's chapters. A report is written without them where gnuplot is missing or
// fails: the reason is told once on stderr, and in every chapter that would have had some.

#include <string>

#include "base/error.hpp"
#include "report/chapter.hpp"

namespace sigstab {

class Illustrator {
 public:
  // Draws nothing if no format of the report shows pictures.
  explicit Illustrator(bool wanted);

  // What curves cannot show gets no picture.
  void illustrate(const Plan& plan, const Result& result, Chapter& chapter);

 private:
  void give_up(const Error& error);

  bool wanted_;
  std::string failure_;  // empty: pictures can be drawn
};

}  // namespace sigstab
