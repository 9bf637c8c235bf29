/* SPDX-License-Identifier: Apache-2.0 */
// tpuvp trace: a run over time, for a wave viewer, a trace viewer, a spreadsheet, the terminal.
#include "judge/measured.h"
#include "models/core/tracer.h"
#include "platform/cli/commands.h"
#include "platform/cli/hang.h"
#include "platform/cli/output.h"
#include "platform/cli/path_report.h"
#include "platform/cli/prepare.h"
#include "platform/cli/run_page.h"
#include "platform/trace/fan_out.h"
#include "platform/trace/gantt.h"
#include "platform/trace/perfetto.h"
#include "platform/trace/vcd.h"
#include "platform/trace/windows.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstring>
#include <langinfo.h>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <vector>

namespace tpu::cli {

namespace {

constexpr std::uint64_t default_window = 100;

bool has(const tpu_args *args, tpu_option option) { return tpu_args_have(args, option) != 0; }

// What is to be written, and where to.
struct wishes {
  std::string vcd, perfetto, csv, html; // paths; "": not wanted
  std::uint64_t window = default_window;
  bool gantt = false;

  bool files() const { return !vcd.empty() || !perfetto.empty() || !csv.empty() || !html.empty(); }
};

int read_wishes(const tpu_args *args, wishes &out, tpu_report *r) {
  const auto path = [&](tpu_option option, const char *name) {
    const char *directory = args->value[TPU_OPTION_OUT_DIR];
    return has(args, option)      ? std::string(args->value[option])
           : directory != nullptr ? std::string(directory) + "/" + name
                                  : std::string();
  };
  out.vcd = path(TPU_OPTION_VCD, "trace.vcd");
  out.perfetto = path(TPU_OPTION_PERFETTO, "trace.json");
  out.csv = path(TPU_OPTION_CSV, "windows.csv");
  out.html = path(TPU_OPTION_HTML, "report.html");
  out.gantt = has(args, TPU_OPTION_GANTT) || (!out.files() && !has(args, TPU_OPTION_JSON));
  if (out.gantt && has(args, TPU_OPTION_JSON))
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "option '--gantt' is text: give it without '--json', which allows "
                           "nothing else on stdout");
  if (has(args, TPU_OPTION_WINDOW) && out.csv.empty())
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "option '--window' has no meaning without '--csv' or '-o'");
  return tpu_args_number(args, TPU_OPTION_WINDOW, 1, UINT32_MAX, default_window, &out.window, r);
}

std::vector<std::string> program_text(const tpu_job &job) {
  std::vector<std::string> lines;
  for (std::uint32_t k = 0; k < job.code.count; ++k)
    lines.push_back(disassembled(job, k));
  return lines;
}

// All writers that are wanted, as one; of the run that comes first.
class writers final : public trace::fan_out {
public:
  int open(const tpu_job &job, const wishes &w, tpu_report *r) {
    if (!w.vcd.empty() && keep(std::make_unique<trace::vcd_writer>(), w.vcd, r) == 0)
      return 0;
    if (!w.perfetto.empty() &&
        keep(std::make_unique<trace::perfetto_writer>(program_text(job)), w.perfetto, r) == 0)
      return 0;
    if (!w.csv.empty() &&
        keep(std::make_unique<trace::window_writer>(static_cast<core::cycle>(w.window)), w.csv,
             r) == 0)
      return 0;
    if (w.gantt)
      add(gantt_.emplace());
    if (!w.html.empty()) {
      add(record_);
      return page_.emplace().open(w.html, r);
    }
    return 1;
  }
  bool page_wanted() const { return page_.has_value(); }
  // Of a second run of the same job, without an observer.
  int put(page_view view, tpu_report *r) {
    view.record = &record_;
    return put_page(view, *page_, r);
  }
  int close(tpu_report *r) {
    return std::all_of(files_.begin(), files_.end(),
                       [r](const auto &file) { return file->close(r) != 0; }) &&
           (!page_ || page_->close(r) != 0);
  }
  void discard() {
    for (const auto &file : files_)
      file->discard();
    if (page_)
      page_->discard();
  }
  const trace::gantt *chart() const { return gantt_ && ended_ ? &*gantt_ : nullptr; }

  void begin(const core::trace_shape &shape) override {
    if (!ended_)
      fan_out::begin(shape);
  }
  void segments(const core::trace_segment *first, std::size_t count) override {
    if (!ended_)
      fan_out::segments(first, count);
  }
  void occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) override {
    if (!ended_)
      fan_out::occupancy(at, stream, tokens);
  }
  void end(core::cycle elapsed) override {
    if (!ended_)
      fan_out::end(elapsed);
    ended_ = true;
  }

private:
  int keep(std::unique_ptr<trace::file_sink> file, const std::string &path, tpu_report *r) {
    files_.push_back(std::move(file));
    add(*files_.back());
    return files_.back()->open(path, r);
  }

  std::vector<std::unique_ptr<trace::file_sink>> files_;
  std::optional<trace::gantt> gantt_;
  trace::page_record record_;
  std::optional<trace::text_file> page_;
  bool ended_ = false;
};

bool terminal_takes_utf8() {
  (void)std::setlocale(LC_CTYPE, "");
  const bool utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  (void)std::setlocale(LC_CTYPE, "C");
  return utf8;
}

void print(const tpu_job &job, const job_report &report, const wishes &w, bool wanted_files,
           const trace::gantt *chart) {
  const tpu_params &p = job.request.config->params;
  print_head(job.name, tpu_verdict_name(report.verdict.settled), report.verdict.reason, &job,
             report);
  std::printf("  machine      T=%u MAXDIM=%u QD=%u DMA_WORDS=%u\n", p.t, p.maxdim, p.qd,
              p.dma_words);
  if (report.device.units.empty()) {
    if (wanted_files)
      std::printf("  no file is written: the accelerator did not %s%s\n",
                  report.ran ? "come to an end" : "run",
                  job.illegal != 0 ? "; --unchecked lets it" : "");
    return;
  }
  std::printf("  accelerator  %llu cycles, start to %s%s\n",
              static_cast<unsigned long long>(report.device.cycles),
              report.device.completed ? "done" : "where it stopped",
              tpu_extrapolated_note(job.request.config));
  for (const auto &[what, path] : {std::pair{"VCD", &w.vcd}, {"trace events", &w.perfetto}})
    if (!path->empty())
      std::printf("  %-12s %s\n", what, path->c_str());
  if (!w.csv.empty())
    std::printf("  windows      %s, of %llu cycles\n", w.csv.c_str(),
                static_cast<unsigned long long>(w.window));
  if (!w.html.empty())
    std::printf("  page         %s\n", w.html.c_str());
  if (chart != nullptr)
    std::printf("\n%s", chart->text(terminal_takes_utf8()).c_str());
  print_waits(report.device.units);
  if (report.device.deadlock)
    tpu_hang_print(&report.device.deadlock->view());
}

int print_json(const tpu_job &job, const job_report &report, const wishes &wanted, tpu_report *r) {
  const tpu_platform_config *config = job.request.config;
  tpu_json_writer *w = tpu_document_new(r);
  if (w == nullptr)
    return 0;
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_string(w, "name", job.name);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(report.verdict.settled));
  tpu_json_put_text_or_null(w, "reason", report.verdict.reason);
  tpu_json_put_bool(w, "completed", report.device.completed);
  tpu_json_put_u64(w, "cycles", report.device.cycles);
  tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(config));
  put_contract(w, &job);
  tpu_json_begin_object(w, "files");
  tpu_json_put_text_or_null(w, "vcd", wanted.vcd.c_str());
  tpu_json_put_text_or_null(w, "perfetto", wanted.perfetto.c_str());
  tpu_json_put_text_or_null(w, "csv", wanted.csv.c_str());
  tpu_json_put_text_or_null(w, "html", wanted.html.c_str());
  tpu_json_end(w);
  tpu_json_put_u64_or_null(w, "window", !wanted.csv.empty(), wanted.window);
  put_units(w, "units", report.device.units);
  tpu_config_put(config, "config", w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

struct job_run {
  const tpu_args *args;
  session &s;
  std::uint64_t limit;
  const wishes &wanted;
};

// While a tracer observes there is no critical path; the same job once more gives it.
int write_page(const job_run &run, const tpu_job &job, const tpu_application &application,
               const job_report &traced, writers &out, tpu_report *r) {
  job_report report;
  run.s.machine().record_path(true); // observing has ended it
  // Of a run that was cut short only the accelerator's part counts, for which the core, which
  // begins within a quantum here, may need some cycles more.
  const bool cut = traced.status.end == run_end::over_limit;
  const std::uint64_t limit = cut && run.limit <= UINT64_MAX / 2 ? 2 * run.limit : run.limit;
  if (run.s.run(job, application, limit, report, r) == 0)
    return 0;
  if (report.device.cycles != traced.device.cycles ||
      (!cut && report.verdict.settled != traced.verdict.settled))
    return tpu_report_fail(r, TPU_ERR_USE,
                           "%s: the traced run is %s in %llu cycles, without a tracer %s in %llu: "
                           "a fault of the model",
                           job.name, tpu_verdict_name(traced.verdict.settled),
                           static_cast<unsigned long long>(traced.device.cycles),
                           tpu_verdict_name(report.verdict.settled),
                           static_cast<unsigned long long>(report.device.cycles));
  report.verdict = traced.verdict;
  report.status = traced.status;
  return out.put({run.args, &job, &report, &run.s, nullptr}, r);
}

int run_trace(void *context, const tpu_job *job, tpu_report *r) {
  const job_run &run = *static_cast<job_run *>(context);
  const auto &[args, s, limit, all] = run;
  tpu_application application{};
  if (tpu_application_read(args, TPU_APPLICATION_CORPUS, &application, r) == 0)
    return TPU_EXIT_USAGE;
  job_report report;
  writers out;
  int good = 1;
  const bool runs = job->verdict == TPU_VERDICT_NOT_RUN;
  wishes wanted = runs ? all : wishes{}; // what does not run leaves no files
  const char *directory = args->value[TPU_OPTION_OUT_DIR];
  if (runs && directory != nullptr && mkdir(directory, 0777) != 0 && errno != EEXIST)
    good = tpu_report_fail(r, TPU_ERR_USE, "%s: cannot be made a directory: %s", directory,
                           std::strerror(errno));
  if (good != 0 && out.open(*job, wanted, r) != 0) {
    {
      core::tracer tracer(s.machine().device(), out);
      good = s.run(*job, application, limit, report, r);
      if (good != 0 && tracer.broken())
        good = tpu_report_fail(r, TPU_ERR_USE, "a temporary file could not be read back");
    }
    if (good != 0 && report.device.units.empty()) { // no run, or none that ended
      out.discard();
      wanted = {};
    } else {
      if (good != 0 && out.page_wanted())
        good = write_page(run, *job, application, report, out, r);
      if (good != 0)
        good = out.close(r);
    }
  } else {
    good = 0;
  }
  tpu_application_release(&application);
  if (good == 0)
    return TPU_EXIT_USAGE;
  if (!has(args, TPU_OPTION_JSON))
    print(*job, report, wanted, all.files(), out.chart());
  else if (print_json(*job, report, wanted, r) == 0)
    return TPU_EXIT_USAGE;
  return report.verdict.settled == TPU_VERDICT_EXACT ? TPU_EXIT_OK : TPU_EXIT_VERDICT;
}

} // namespace

} // namespace tpu::cli

int tpu_command_trace(const struct tpu_args *args, struct tpu_report *r) {
  using namespace tpu::cli;
  run_options o;
  wishes wanted;
  const char *word = args->operands == 1 ? args->operand[0] : nullptr;
  if (tpu_prepare_check(args, "trace", "a SPEC or a program", word, r) == 0 ||
      read_wishes(args, wanted, r) == 0 || read_run_options(args, o, r) == 0)
    return TPU_EXIT_USAGE;
  const auto s = session::open(o.config, o.config_path, o.seed, nullptr, r);
  if (s == nullptr)
    return TPU_EXIT_USAGE;
  job_run run{args, *s, o.limit, wanted};
  return tpu_prepare_job(args, word, &s->config(), o.seed, run_trace, &run, r);
}
