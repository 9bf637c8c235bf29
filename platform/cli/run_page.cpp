/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/run_page.h"

#include "judge/causes.h"
#include "platform/cli/counters.h"
#include "platform/cli/engine_result.h"
#include "platform/cli/hang.h"
#include "platform/cli/output.h"
#include "platform/cli/run_limit.h"
#include "platform/cli/work_view.h"
#include "platform/report/page.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tpu::cli {

namespace {

using core::cycle;

// --- the command -------------------------------------------------------------------------------

void put_word(FILE *f, const char *word) {
  const bool plain =
      word[0] != '\0' && std::strspn(word, "abcdefghijklmnopqrstuvwxyz"
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_./=,:+-") == std::strlen(word);
  (void)fputc(' ', f);
  if (plain)
    (void)fputs(word, f);
  else
    tpu_put_quoted(f, word);
}

// Makes this page again: the options that say what is run, as they were given.
int put_command(const tpu_args *args, tpu_json_writer *w, tpu_report *r) {
  char *text = nullptr;
  std::size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == nullptr)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  (void)fputs("tpuvp trace", f);
  for (unsigned k = 0; k < args->operands; ++k)
    put_word(f, args->operand[k]);
  for (const tpu_option o :
       {TPU_OPTION_PROGRAM, TPU_OPTION_SUBMISSION_SECONDS, TPU_OPTION_SUBMISSION_MBYTES,
        TPU_OPTION_CORPUS, TPU_OPTION_FIRMWARE, TPU_OPTION_CONFIG, TPU_OPTION_SEED,
        TPU_OPTION_LIMIT, TPU_OPTION_UNCHECKED})
    if (tpu_args_have(args, o) != 0) {
      (void)std::fprintf(f, " --%s", tpu_option_lookup(o)->name);
      if (tpu_option_lookup(o)->value != nullptr)
        put_word(f, args->value[o]);
    }
  for (unsigned k = 0; k < args->sets; ++k) {
    (void)fputs(" --set", f);
    put_word(f, args->set[k]);
  }
  (void)fputs(" --html", f);
  const char *page = args->value[TPU_OPTION_HTML];
  const char *slash = page != nullptr ? std::strrchr(page, '/') : nullptr;
  put_word(f, slash != nullptr ? slash + 1 : page != nullptr ? page : "report.html");
  const bool good = std::fclose(f) == 0;
  if (good)
    tpu_json_put_string(w, "command", text);
  std::free(text);
  return good ? 1 : tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
}

// Where the program comes from.
void put_source(const page_view &v, tpu_json_writer *w) {
  const char *path = v.args->value[TPU_OPTION_PROGRAM];
  const char *slash = path != nullptr ? std::strrchr(path, '/') : nullptr;
  const std::string name = slash != nullptr ? slash + 1 : path != nullptr ? path : "";
  const std::string text = (name.empty() ? "the baseline mapping" : "program " + name) + ", " +
                           std::to_string(v.job->code.count) + " instructions";
  tpu_json_put_string(w, "source", text.c_str());
}

// --- what other commands say -------------------------------------------------------------------

void put_limit(const path_view &v, tpu_json_writer *w) {
  const run_limit limit = limit_of(v);
  tpu_json_begin_object(w, "limit");
  tpu_json_put_text_or_null(w, "unit", limit.unit.c_str());
  tpu_json_put_u64(w, "cycles", limit.cycles);
  tpu_json_put_string(w, "sentence", limit.sentence.c_str());
  tpu_json_begin_array(w, "more");
  for (const std::string &sentence : limit.more)
    tpu_json_put_string(w, nullptr, sentence.c_str());
  tpu_json_end(w);
  tpu_json_end(w);
}

// Null for a program that breaks a contract: the network is for legal ones.
int put_work(const page_view &v, tpu_json_writer *w, tpu_report *r) {
  if (v.job->illegal != 0 || v.job->counted == 0) {
    tpu_json_put_null(w, "work");
    return 1;
  }
  constexpr std::uint8_t no_image = 0; // C is not looked at
  tpu_engine_result result;
  tpu_work work;
  fill_result(v.s->machine().device(), &no_image, 1, false, result);
  const int good =
      tpu_work_of(&v.s->config().params, &v.job->code, &v.job->counts, &result, &work, r);
  release_result(&result);
  if (good == 0)
    return 0;
  const tpu_work_view view{v.job->name, tpu_work_outcome(work.outcome),
                           work.text[0] != '\0' ? work.text : nullptr, &work};
  tpu_work_put(&view, "work", w);
  return 1;
}

// --- over time ---------------------------------------------------------------------------------

// A list of numbers of the elements.
template <class List, class Number>
void put_column(tpu_json_writer *w, const char *key, const List &list, Number number) {
  tpu_json_begin_array(w, key);
  for (const auto &element : list)
    tpu_json_put_i64(w, nullptr, static_cast<std::int64_t>(number(element)));
  tpu_json_end(w);
}

constexpr auto itself = [](auto number) { return number; };

// Index of what a process waits on; -1: none.
int on_of(const core::trace_segment &s) { return s.on < TPU_WAIT_COUNT ? s.on : -1; }

void put_process(const trace::page_record &record, std::size_t k, tpu_json_writer *w) {
  const trace::page_record::process_record &p = record.processes()[k];
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_string(w, "name", p.name.c_str());
  tpu_json_put_string(w, "unit", core::unit_name(static_cast<tpu_unit>(p.unit)));
  if (record.detailed()) {
    std::vector<core::trace_segment> shown = p.segments;
    while (!shown.empty() && shown.back().from >= record.elapsed())
      shown.pop_back();
    put_column(w, "from", shown, [](const auto &s) { return s.from; });
    put_column(w, "state", shown, [](const auto &s) { return s.state; });
    put_column(w, "on", shown, on_of);
    put_column(w, "issue", shown, [](const auto &s) { return s.issue; });
  } else {
    put_column(w, "busy", p.busy, itself);
    put_column(w, "starved", p.starved, itself);
    put_column(w, "blocked", p.blocked, itself);
  }
  tpu_json_end(w);
}

const char *carried_by(const std::string &stream) {
  const std::string base = stream.substr(0, stream.find('['));
  for (const wait_text &on : wait_texts)
    if (base == on.name)
      return on.sentence;
  return "";
}

void put_stream(const trace::page_record &record, std::size_t k, tpu_json_writer *w) {
  const trace::page_record::stream_record &s = record.streams()[k];
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_string(w, "name", s.name.c_str());
  tpu_json_put_string(w, "carries", carried_by(s.name));
  tpu_json_put_u64(w, "depth", s.depth);
  tpu_json_put_i64(w, "sum", s.sum);
  tpu_json_put_u64(w, "most", s.highest);
  if (record.detailed()) {
    std::vector<trace::page_record::change> shown = s.changes;
    while (shown.size() > 1 && shown.back().at >= record.elapsed())
      shown.pop_back();
    put_column(w, "at", shown, [](const auto &c) { return c.at; });
    put_column(w, "tokens", shown, [](const auto &c) { return c.tokens; });
  } else {
    put_column(w, "sums", s.sums, itself);
    put_column(w, "mosts", s.most, itself);
  }
  tpu_json_end(w);
}

// Dispatched instructions: which of the program, and the values of the loops around it.
void put_issues(const trace::page_record &record, tpu_json_writer *w) {
  tpu_json_begin_array(w, "issues");
  for (const tpu_issue &i : record.issues()) {
    tpu_json_begin_array(w, nullptr);
    tpu_json_put_u64(w, nullptr, i.index);
    for (std::uint32_t k = 0; k < i.depth; ++k)
      tpu_json_put_u64(w, nullptr, i.iv[k]);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

// The causes of a path that has too many stretches, by window.
void put_cause_windows(const path_view &v, const trace::page_record &record, tpu_json_writer *w) {
  std::vector<cause_cycles> windows(record.macs().size());
  const cycle length = record.window_length();
  for (const core::path_stretch &s : v.report->device.path)
    for (cycle from = s.from; from < s.to;) {
      const cycle until = std::min(s.to, (from / length + 1) * length);
      windows[static_cast<std::size_t>(from / length)][static_cast<std::size_t>(s.cause)] +=
          static_cast<std::uint64_t>(until - from);
      from = until;
    }
  tpu_json_begin_object(w, "windows");
  for (std::size_t c = 0; c < path_causes; ++c)
    put_column(w, tpu_cause_id(static_cast<tpu_path_cause>(c)), windows,
               [c](const cause_cycles &x) { return x[c]; });
  tpu_json_end(w);
}

void put_ribbon(const path_view &v, const trace::page_record &record, tpu_json_writer *w) {
  tpu_json_begin_object(w, "path");
  put_path_shares(v, w);
  const std::vector<passage> all = passages(v.report->device.path);
  if (record.detailed() && all.size() <= trace::page_items) {
    const std::uint32_t t = v.net->params().t;
    put_column(w, "from", all, [](const passage &p) { return p.whole.from; });
    put_column(w, "cause", all, [](const passage &p) { return p.whole.cause; });
    put_column(w, "issue", all, [](const passage &p) { return p.whole.issue; });
    tpu_json_begin_array(w, "process");
    for (const passage &p : all)
      tpu_json_put_string(w, nullptr, process_range(p, t).c_str());
    tpu_json_end(w);
  } else {
    put_cause_windows(v, record, w);
  }
  tpu_json_end(w);
}

void put_tables(const tpu_job &job, tpu_json_writer *w) {
  tpu_json_begin_array(w, "waits");
  for (const wait_text &on : wait_texts) {
    tpu_json_begin_object(w, nullptr);
    tpu_json_put_string(w, "name", on.name);
    tpu_json_put_string(w, "text", on.sentence);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "causes");
  for (int c = 0; c < TPU_CAUSE_COUNT; ++c) {
    const auto cause = static_cast<tpu_path_cause>(c);
    tpu_json_begin_object(w, nullptr);
    tpu_json_put_string(w, "id", tpu_cause_id(cause));
    tpu_json_put_string(w, "name", tpu_cause_name(cause));
    tpu_json_put_string(w, "text", tpu_cause_sentence(cause));
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "program");
  for (std::uint32_t k = 0; k < job.code.count; ++k)
    tpu_json_put_string(w, nullptr, disassembled(job, k).c_str());
  tpu_json_end(w);
}

void put_timeline(const path_view &v, const trace::page_record &record, tpu_json_writer *w) {
  tpu_json_begin_object(w, "timeline");
  tpu_json_put_bool(w, "detailed", record.detailed());
  tpu_json_put_u64(w, "items", trace::page_items);
  tpu_json_put_i64(w, "window", record.window_length());
  tpu_json_begin_array(w, "processes");
  for (std::size_t k = 0; k < record.processes().size(); ++k)
    put_process(record, k, w);
  tpu_json_end(w);
  tpu_json_begin_array(w, "streams");
  for (std::size_t k = 0; k < record.streams().size(); ++k)
    put_stream(record, k, w);
  tpu_json_end(w);
  put_column(w, "macs", record.macs(), itself);
  put_issues(record, w);
  put_ribbon(v, record, w);
  tpu_json_end(w);
}

int put_document(const page_view &v, tpu_json_writer *w, tpu_report *r) {
  const path_view path{v.job, v.report, &v.s->machine().device(), false};
  tpu_json_begin_object(w, nullptr);
  if (put_command(v.args, w, r) == 0)
    return 0;
  put_source(v, w);
  put_limit(path, w);
  put_run(view_of(*v.job, *v.report, *v.s), "run", w);
  if (v.report->device.deadlock)
    tpu_hang_put_lines(&v.report->device.deadlock->view(), "blocked", w);
  if (put_work(v, w, r) == 0)
    return 0;
  put_timeline(path, *v.record, w);
  put_tables(*v.job, w);
  tpu_json_end(w);
  return 1;
}

} // namespace

int put_page(const page_view &v, trace::text_file &out, tpu_report *r) {
  tpu_json_writer *w = tpu_document_new(r);
  if (w == nullptr)
    return 0;
  const int good = put_document(v, w, r);
  char *text = good != 0 ? tpu_json_writer_text(w, 0) : nullptr;
  tpu_json_writer_free(w);
  if (text == nullptr)
    return good == 0 ? 0
                     : tpu_report_fail(r, TPU_ERR_CAPACITY, "the page's data could not be built");
  out << report::before_data;
  // Only strings hold a '<', and none may end the element that the document stands in.
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t at = rest.find('<');
    out << rest.substr(0, at);
    if (at == std::string_view::npos)
      break;
    out << "\\u003c";
    rest.remove_prefix(at + 1);
  }
  std::free(text);
  out << report::after_data;
  return 1;
}

} // namespace tpu::cli
