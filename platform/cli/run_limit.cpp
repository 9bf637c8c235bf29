/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/run_limit.h"

#include "judge/causes.h"
#include "platform/cli/counters.h"

#include <algorithm>
#include <cstdio>

namespace tpu::cli {

namespace {

std::string cycles_of(std::uint64_t cycles, std::uint64_t of) {
  char text[64];
  (void)std::snprintf(text, sizeof text, "%llu cycles (%.1f %%)",
                      static_cast<unsigned long long>(cycles),
                      100 * static_cast<double>(cycles) / static_cast<double>(of));
  return text;
}

// What most cycles of the path in a unit went to, between the start of the units
// and the finish; and the instruction that owns most of these.
struct largest_cause {
  std::size_t cause = 0;
  std::uint64_t cycles = 0;
  std::int64_t instruction = -1; // -1: none
  std::uint64_t owned = 0;
};

largest_cause largest_in(const path_view &v, std::size_t unit) {
  cause_cycles sum{};
  const auto counts = [&](const core::path_stretch &s) {
    return s.cause != core::path_cause::start_up && s.cause != core::path_cause::finish &&
           s.owner.unit == unit;
  };
  const std::vector<core::path_stretch> &path = v.report->device.path;
  for (const core::path_stretch &s : path)
    if (counts(s))
      sum[static_cast<std::size_t>(s.cause)] += static_cast<std::uint64_t>(s.to - s.from);
  largest_cause out;
  out.cause = static_cast<std::size_t>(std::max_element(sum.begin(), sum.end()) - sum.begin());
  out.cycles = sum[out.cause];
  std::vector<std::uint64_t> owned(v.job->code.count);
  for (const core::path_stretch &s : path)
    if (counts(s) && static_cast<std::size_t>(s.cause) == out.cause && s.issue >= 0)
      owned[v.net->issue(s.issue).index] += static_cast<std::uint64_t>(s.to - s.from);
  const auto most = std::max_element(owned.begin(), owned.end());
  if (most != owned.end() && *most != 0) {
    out.instruction = most - owned.begin();
    out.owned = *most;
  }
  return out;
}

std::string owner_text(const path_view &v, const largest_cause &c) {
  if (c.instruction < 0)
    return "no instruction owns them";
  const auto index = static_cast<std::uint32_t>(c.instruction);
  return "[" + std::to_string(index) + "] " + disassembled(*v.job, index) + " owns " +
         std::to_string(c.owned) + " of them";
}

std::string cause_text(const largest_cause &c) {
  const auto cause = static_cast<tpu_path_cause>(c.cause);
  return std::string(tpu_cause_name(cause)) + " (" + tpu_cause_sentence(cause) + ")";
}

std::string wait_text_of(const unit_account &u) {
  std::int64_t most = 0;
  std::string text;
  for (const auto &[state, cycles] :
       {std::pair{"starved", &u.waits.starved}, {"blocked", &u.waits.blocked}})
    for (const wait_text &on : wait_texts)
      if ((*cycles)[on.id] > most) {
        most = (*cycles)[on.id];
        text = std::string(state) + " for " + std::to_string(most) + " cycles by " + on.name +
               " (" + on.sentence + ")";
      }
  return most == 0 ? "it waits for nothing" : "its longest wait: " + text;
}

std::string busiest(const device_account &d) {
  const auto share = [&](const unit_account &u) {
    return static_cast<double>(u.counters.busy) /
           (static_cast<double>(d.cycles) * static_cast<double>(u.instances));
  };
  const auto most = std::max_element(
      d.units.begin(), d.units.end(),
      [&](const unit_account &a, const unit_account &b) { return share(a) < share(b); });
  char percent[32];
  (void)std::snprintf(percent, sizeof percent, "%.1f %%", 100 * share(*most));
  return "The busiest unit is " + most->name + ", in " + percent + " of the cycles; " +
         wait_text_of(*most) + ".";
}

} // namespace

run_limit limit_of(const path_view &v) {
  const device_account &d = v.report->device;
  run_limit out;
  if (!d.completed || d.critical_unit.empty()) {
    out.sentence = v.report->verdict.reason;
    return out;
  }
  const auto unit = static_cast<std::size_t>(
      std::max_element(d.critical_path.begin(), d.critical_path.end()) - d.critical_path.begin());
  out.unit = d.critical_unit;
  out.cycles = d.critical_path[unit];
  const largest_cause here = largest_in(v, unit);
  out.sentence = out.unit + " limits this run: on the critical path " +
                 cycles_of(out.cycles, d.cycles) + " of " + std::to_string(d.cycles) +
                 " are spent in it, " +
                 (here.cycles == out.cycles ? "all" : std::to_string(here.cycles)) +
                 " of them on " + cause_text(here) + "; " + owner_text(v, here) + ".";
  std::size_t next = unit == 0 ? 1 : 0;
  for (std::size_t u = next; u < d.critical_path.size(); ++u)
    if (u != unit && d.critical_path[u] > d.critical_path[next])
      next = u;
  if (d.critical_path[next] != 0) {
    const largest_cause there = largest_in(v, next);
    out.more.push_back(
        "Next is " + d.units[next].name + ", " + cycles_of(d.critical_path[next], d.cycles) + ", " +
        (there.cycles == d.critical_path[next] ? "all" : std::to_string(there.cycles)) +
        " of them on " + cause_text(there) + "; " + owner_text(v, there) + ".");
  }
  out.more.push_back(busiest(d));
  return out;
}

} // namespace tpu::cli
