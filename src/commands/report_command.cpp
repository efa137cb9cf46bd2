// sigstab report: experiments and results as one document. Everything is read and checked before
// anything runs; a missed figure is told and is no failure, which is what check is for.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/named_table.hpp"
#include "base/shell.hpp"
#include "cli/build_info.hpp"
#include "cli/files.hpp"
#include "cli/illustrator.hpp"
#include "cli/interrupt.hpp"
#include "cli/load_config.hpp"
#include "cli/output_files.hpp"
#include "cli/progress.hpp"
#include "cli/shared_options.hpp"
#include "commands/commands.hpp"
#include "config/canned.hpp"
#include "config/config_text.hpp"
#include "config/read_config.hpp"
#include "report/document.hpp"
#include "report/formats.hpp"
#include "result/result_json.hpp"
#include "run/restore.hpp"
#include "run/run.hpp"

namespace sigstab {
namespace {

struct ReportOptions {
  std::vector<std::string> names;  // none: the article
  std::string format;              // on stdout; empty: markdown, or nothing when there are outputs
  std::vector<std::string> outputs;
  LimitOptions limits;
};

std::vector<Option> options_of(ReportOptions& options) {
  return {{.name = "config",
           .help = "canned names, configs, or results of run (json, jsonl); default: the article",
           .target = &options.names,
           .value = "CONFIG"},
          {.name = "--output",
           .help = "write a page (.html) or markdown (.md); may be repeated",
           .target = &options.outputs,
           .value = "FILE",
           .letter = 'o'},
          format_option(options.format, row_names(document_formats())),
          threads_option(options.limits),
          memory_option(options.limits)};
}

// What a chapter is to be of: a config to run, or a result that is there.
struct Subject {
  Config config;
  Plan plan;
  ChapterSource source;
  std::optional<Result> result;
};

// The page stands alone, so a config that extends others is shown as what they come to.
Subject subject_of_config(const NamedText& text) {
  Subject subject{read_config(config_chain(text), {}), {}, {}, {}};
  subject.plan = make_plan(subject.config);
  const std::string file = shell_file(text.file);
  const bool alone = subject.config.files.size() == 1;
  subject.source = {alone ? text.text : whole_text(subject.config), "", {"sigstab run " + file}};
  if (!subject.plan.expectations.empty()) {
    subject.source.commands.push_back("sigstab check " + file);
  }
  return subject;
}

// A result holds no path of its config, but whether the config comes with sigstab can be seen.
Subject subject_of_result(Result result, const std::string& file) {
  Subject subject{read_result_config(result.config, file + ": config"), {}, {}, {}};
  subject.plan = make_plan(subject.config);
  const CannedConfig* canned = find_row(canned_configs(), subject.plan.experiment);
  const bool same =
      canned != nullptr &&
      make_plan(read_config(canned->text, std::string(canned->name), {})).resolved == result.config;
  if (same) {
    subject.source.commands = {"sigstab run " + subject.plan.experiment};
    subject.source.rerun = fmt::format("The numbers are those of {}.", file);
  } else {
    std::string name = subject.plan.experiment + ".json";
    std::ranges::replace(name, '/', '_');
    subject.source.rerun =
        fmt::format("The numbers are those of {}. With the config below saved as {}:", file, name);
    subject.source.commands = {"sigstab run " + shell_file(name)};
  }
  subject.result = restored(std::move(result), subject.plan, file);
  return subject;
}

std::vector<Subject> read_subjects(const std::vector<std::string>& names) {
  std::vector<Subject> subjects;
  for (const std::string& name : names) {
    if (name.ends_with(".csv")) {
      throw Error(name, "a csv does not say of which config it is", "report its json or jsonl");
    }
    const NamedText text = load_text(name);
    if (!holds_result(text.text)) {
      subjects.push_back(subject_of_config(text));
      continue;
    }
    for (Result& result : read_results(text.text, text.file)) {
      subjects.push_back(subject_of_result(std::move(result), text.file));
    }
  }
  return subjects;
}

struct Output {
  std::string path;  // empty: stdout
  const DocumentFormat* format;
};

std::vector<Output> open_outputs(const ReportOptions& options) {
  std::vector<Output> outputs;
  if (options.outputs.empty() || !options.format.empty()) {
    const std::string name = options.format.empty() ? "markdown" : options.format;
    outputs.push_back({"", find_row(document_formats(), name)});
  }
  OutputFiles files(options.names);
  for (const std::string& path : options.outputs) {
    outputs.push_back({path, files.claim_by_extension(document_formats(), "-o", path)});
  }
  return outputs;
}

Result run_subject(const Subject& subject, const Limits& limits,
                   const std::atomic<bool>& interrupt) {
  RunMeter meter;
  const Progress progress(subject.plan.experiment, meter);
  RunEvents events;
  events.interrupt = &interrupt;
  events.meter = &meter;
  Result result = run(subject.plan, limits, events);
  result.provenance = this_build(limits.threads);
  return result;
}

// Every document is written, whatever happens to the others, before the first error is thrown; one
// that cannot be written goes to stdout, so that no result is lost.
void write_documents(const std::vector<Output>& outputs, const std::vector<Chapter>& chapters) {
  if (chapters.empty()) return;
  std::optional<Error> first;
  for (const Output& output : outputs) {
    const std::string text = output.format->render(chapters);
    if (output.path.empty()) {
      print(text);
      continue;
    }
    const std::optional<Error> failed = write_or_print(output.path, text);
    if (!first) first = failed;
  }
  if (first) throw *first;
}

void tell_missed(const std::vector<Chapter>& chapters) {
  FigureTotals totals;
  for (const Chapter& chapter : chapters) totals.add(chapter.totals);
  if (totals.all_passed()) return;
  std::fprintf(stderr, "sigstab: %s; the report names them\n", totals.checked_text().c_str());
}

ExitCode report(const ReportOptions& options) {
  const Limits limits = options.limits.limits();
  std::vector<Subject> subjects =
      read_subjects(options.names.empty() ? article_names() : options.names);
  for (const Subject& subject : subjects) {
    if (!subject.result) check_memory(subject.plan, limits);
  }
  const std::vector<Output> outputs = open_outputs(options);
  Illustrator illustrator(
      std::ranges::any_of(outputs, [](const Output& output) { return output.format->pictures; }));
  const std::atomic<bool>& interrupt = watch_for_interrupt();
  std::vector<Chapter> chapters;
  try {
    for (Subject& subject : subjects) {
      if (interrupt) break;
      if (!subject.result) subject.result = run_subject(subject, limits, interrupt);
      if (subject.result->cases.empty()) continue;
      chapters.push_back(
          chapter_of(subject.config, subject.plan, *subject.result, std::move(subject.source)));
      illustrator.illustrate(subject.plan, *subject.result, chapters.back());
    }
  } catch (...) {
    write_documents(outputs, chapters);  // what was finished
    throw;
  }
  write_documents(outputs, chapters);
  if (interrupt) {
    std::fprintf(stderr, "sigstab: interrupted: %zu of %zu experiments are in the report\n",
                 chapters.size(), subjects.size());
    return ExitCode::interrupted;
  }
  tell_missed(chapters);
  return ExitCode::ok;
}

}  // namespace

Command report_command() {
  return make_command("report", "write a page about experiments: tables, verdicts, how to rerun",
                      options_of, report);
}

}  // namespace sigstab
