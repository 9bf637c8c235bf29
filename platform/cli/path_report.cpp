/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/path_report.h"

#include "isa/asm.h"
#include "judge/causes.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace tpu::cli {

namespace {

using core::path_stretch;

constexpr std::size_t shown_instructions = 10;
constexpr std::size_t shown_stretches = 12;

enum tpu_path_cause cause_at(std::size_t k) { return static_cast<enum tpu_path_cause>(k); }
const char *name_of(core::path_cause c) {
  return tpu_cause_name(static_cast<enum tpu_path_cause>(c));
}

std::uint64_t length(const path_stretch &s) { return static_cast<std::uint64_t>(s.to - s.from); }

// The longest `keep`, in the order of time.
std::vector<passage> longest(std::vector<passage> all, std::size_t keep) {
  if (all.size() > keep) {
    std::stable_sort(all.begin(), all.end(), [](const passage &a, const passage &b) {
      return length(a.whole) > length(b.whole);
    });
    all.resize(keep);
    std::sort(all.begin(), all.end(),
              [](const passage &a, const passage &b) { return a.whole.from < b.whole.from; });
  }
  return all;
}

double percent(std::uint64_t cycles, std::uint64_t of) {
  return 100 * static_cast<double>(cycles) / static_cast<double>(of);
}

void print_causes(const device_account &d) {
  const cause_cycles sum = sum_by_cause(d.path);
  std::printf("\n  %-14s %8s  of run\n", "cause", "cycles");
  for (std::size_t k = 0; k < path_causes; ++k)
    if (sum[k] != 0)
      std::printf("  %-14s %8" PRIu64 " %5.1f %%  %s\n", tpu_cause_name(cause_at(k)), sum[k],
                  percent(sum[k], d.cycles), tpu_cause_sentence(cause_at(k)));
  std::printf("  %-14s %8" PRIu64 " %5.1f %%\n", "total", d.cycles, 100.0);
}

// "response wait 686, accumulator 8".
std::string largest_causes(const cause_cycles &causes) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < path_causes; ++k)
    if (causes[k] != 0)
      order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return causes[a] > causes[b]; });
  std::string out;
  for (const std::size_t k : order)
    out += (out.empty() ? "" : ", ") + std::string(tpu_cause_name(cause_at(k))) + " " +
           std::to_string(causes[k]);
  return out;
}

void print_instructions(const path_view &v) {
  std::vector<instruction_share> shares = by_instruction(v);
  const std::size_t count = shares.size();
  if (count > shown_instructions && !v.all) {
    std::stable_sort(
        shares.begin(), shares.end(),
        [](const instruction_share &a, const instruction_share &b) { return a.cycles > b.cycles; });
    shares.resize(shown_instructions);
    std::sort(
        shares.begin(), shares.end(),
        [](const instruction_share &a, const instruction_share &b) { return a.index < b.index; });
    std::printf("\n  the %zu instructions of %zu that own most, in the order of the program:\n",
                shares.size(), count);
  } else {
    std::printf("\n  the instructions that own the cycles, in the order of the program:\n");
  }
  for (const instruction_share &i : shares)
    std::printf("  %8" PRIu64 " %5.1f %%  [%u] %s\n                    %s\n", i.cycles,
                percent(i.cycles, v.report->device.cycles), i.index,
                disassembled(*v.job, i.index).c_str(), largest_causes(i.causes).c_str());
}

// "[7] mm iv0=2 iv1=3".
std::string issue_text(const path_view &v, std::int32_t issue) {
  if (issue < 0)
    return "";
  const tpu_issue &i = v.net->issue(issue);
  std::string out = "[" + std::to_string(i.index) + "] " + tpu_op_lookup(i.op)->name;
  for (std::uint32_t k = 0; k < i.depth; ++k)
    out += " iv" + std::to_string(k) + "=" + std::to_string(i.iv[k]);
  return out;
}

void print_stretches(const path_view &v) {
  const std::vector<passage> all = passages(v.report->device.path);
  const std::vector<passage> shown = v.all ? all : longest(all, shown_stretches);
  const std::uint32_t t = v.net->params().t;
  if (shown.size() < all.size())
    std::printf("\n  the %zu longest of %zu stretches, in the order of time (--all shows every "
                "one):\n",
                shown.size(), all.size());
  else
    std::printf("\n  the stretches, in the order of time:\n");
  std::printf("  %8s %8s %7s  %-14s %-20s %s\n", "from", "to", "cycles", "cause", "process",
              "instruction");
  for (const passage &p : shown) {
    const std::string where = process_range(p, t);
    std::string line(128, ' ');
    const int n = std::snprintf(
        line.data(), line.size(), "  %8" PRId64 " %8" PRId64 " %7" PRIu64 "  %-14s %-20s ",
        p.whole.from, p.whole.to, length(p.whole), name_of(p.whole.cause), where.c_str());
    line.resize(static_cast<std::size_t>(n));
    line += issue_text(v, p.whole.issue);
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
}

void put_stretch(const path_view &v, const path_stretch &s, tpu_json_writer *w) {
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_i64(w, "from", s.from);
  tpu_json_put_i64(w, "to", s.to);
  tpu_json_put_string(w, "process", core::process_name(s.owner, v.net->params().t).c_str());
  tpu_json_put_string(w, "cause", tpu_cause_id(static_cast<enum tpu_path_cause>(s.cause)));
  if (s.issue < 0) {
    tpu_json_put_null(w, "instruction");
  } else {
    const tpu_issue &i = v.net->issue(s.issue);
    tpu_json_put_u64(w, "instruction", i.index);
    tpu_json_begin_array(w, "iv");
    for (std::uint32_t k = 0; k < i.depth; ++k)
      tpu_json_put_u64(w, nullptr, i.iv[k]);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

} // namespace

std::string disassembled(const tpu_job &job, std::uint32_t index) {
  char line[256];
  tpu_text t = tpu_text_on(line, sizeof line);
  tpu_disassemble(&job.code.insn[index], &t);
  return line;
}

std::vector<instruction_share> by_instruction(const path_view &v) {
  std::vector<instruction_share> all(v.job->code.count);
  for (const path_stretch &s : v.report->device.path) {
    if (s.issue < 0)
      continue;
    const std::uint32_t index = v.net->issue(s.issue).index;
    all[index].index = index;
    all[index].cycles += length(s);
    all[index].causes[static_cast<std::size_t>(s.cause)] += length(s);
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const instruction_share &i) { return i.cycles == 0; }),
            all.end());
  return all;
}

std::vector<passage> passages(const std::vector<path_stretch> &path) {
  std::vector<passage> out;
  for (const path_stretch &s : path) {
    if (!out.empty() && out.back().whole.cause == s.cause && out.back().whole.issue == s.issue) {
      out.back().whole.to = s.to;
      out.back().last = s.owner;
    } else {
      out.push_back({s, s.owner});
    }
  }
  return out;
}

std::string process_range(const passage &p, std::uint32_t t) {
  std::string where = core::process_name(p.whole.owner, t);
  if (const std::string last = core::process_name(p.last, t); last != where)
    where.append("..").append(last);
  return where;
}

void print_path(const path_view &v) {
  const device_account &d = v.report->device;
  std::printf("  path         %" PRIu64 " cycles, from start to %s\n", d.cycles,
              d.completed ? "done" : "the hang: up to the last event before it");
  print_causes(d);
  print_instructions(v);
  print_stretches(v);
}

void put_path_shares(const path_view &v, tpu_json_writer *w) {
  tpu_causes_put(sum_by_cause(v.report->device.path).data(), 1, w);
  tpu_json_begin_array(w, "instructions");
  for (const instruction_share &i : by_instruction(v)) {
    tpu_json_begin_object(w, nullptr);
    tpu_json_put_u64(w, "index", i.index);
    tpu_json_put_string(w, "text", disassembled(*v.job, i.index).c_str());
    tpu_json_put_u64(w, "cycles", i.cycles);
    tpu_causes_put(i.causes.data(), 0, w);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

void put_path(const path_view &v, tpu_json_writer *w) {
  put_path_shares(v, w);
  tpu_json_begin_array(w, "stretches");
  for (const path_stretch &s : v.report->device.path)
    put_stretch(v, s, w);
  tpu_json_end(w);
}

} // namespace tpu::cli
