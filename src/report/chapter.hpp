#pragma once
// What a report says of one experiment: what was asked, what came out, how that compares with the
// figures expected and with theory, and how to run it again. A value that pages and markdown
// render.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "config/config.hpp"
#include "report/result_tables.hpp"
#include "run/plan.hpp"

namespace sigstab {

// A table of verdicts under what they come to.
struct Comparison {
  std::string heading, summary;
  TextGrid grid;                    // empty: the summary says why
  std::vector<std::size_t> missed;  // rows of the grid
};

struct Illustration {
  std::string svg, alternative;  // the picture, and what it shows in words
};

struct Listing {
  std::string heading, text, language;
};

struct Chapter {
  ResultTables tables;
  std::string about, source;
  std::vector<std::string> notes;  // what is missing, and why
  std::vector<Illustration> pictures;
  FigureTotals totals;
  std::vector<Comparison> comparisons;
  std::string rerun;  // what to do before the commands; may be empty
  std::vector<std::string> commands;
  std::vector<Listing> configs;  // as written, if that is known; as resolved
  TextGrid provenance;           // two columns, no heading
};

// What is known of the run besides its result.
struct ChapterSource {
  std::optional<std::string> written;  // the config's text
  std::string rerun;
  std::vector<std::string> commands;
};

Chapter chapter_of(const Config& config, const Plan& plan, const Result& result,
                   ChapterSource source);

}  // namespace sigstab
