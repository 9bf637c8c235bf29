// SPDX-License-Identifier: Apache-2.0
// A trace kept as it came, and what holds for each.
#ifndef TPU_TEST_MODELS_TRACE_LOG_H
#define TPU_TEST_MODELS_TRACE_LOG_H

#include <algorithm>
#include <map>

#include "models/core/tracer.h"
#include "support.h"

namespace support {

struct trace_log final : public tpu::core::trace_sink {
  struct change {
    tpu::core::cycle at;
    std::size_t stream;
    std::uint32_t tokens;
  };
  tpu::core::trace_shape shape;
  std::vector<tpu_issue> issues;
  std::vector<tpu::core::trace_segment> segments;
  std::vector<change> changes;
  tpu::core::cycle elapsed = -1;

  void begin(const tpu::core::trace_shape &s) override {
    shape = s;
    issues.clear();
    segments.clear();
    changes.clear();
    elapsed = -1;
  }
  void dispatched(std::int32_t issue, const tpu_issue &i) override {
    ASSERT_EQ(static_cast<std::size_t>(issue), issues.size());
    issues.push_back(i);
  }
  void segment(const tpu::core::trace_segment &s) override {
    ASSERT_LT(s.issue, static_cast<std::int32_t>(issues.size()));
    ASSERT_TRUE(changes.empty() || changes.back().at <= s.from);
    segments.push_back(s);
  }
  void occupancy(tpu::core::cycle at, std::size_t stream, std::uint32_t tokens) override {
    ASSERT_TRUE(segments.empty() || segments.back().from <= at);
    changes.push_back({at, stream, tokens});
  }
  void end(tpu::core::cycle cycles) override { elapsed = cycles; }

  // Two traces are the same when their texts are.
  std::string text() const {
    std::string out = "elapsed " + std::to_string(elapsed) + "\n";
    for (const tpu::core::trace_segment &s : segments) {
      for (const std::int64_t n :
           {s.from, s.to, s.step, std::int64_t{s.issue}, std::int64_t{s.process},
            static_cast<std::int64_t>(s.state), std::int64_t{s.on}}) {
        out += std::to_string(n) + " ";
      }
      out += "\n";
    }
    for (const change &c : changes) {
      out += std::to_string(c.at) + " " + std::to_string(c.stream) + "=" +
             std::to_string(c.tokens) + "\n";
    }
    return out;
  }
};

// The first line in which two texts differ, or "".
inline std::string difference(const std::string &a, const std::string &b) {
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  if (at == a.size() && at == b.size()) {
    return "";
  }
  const auto line = [&](const std::string &s) {
    const std::size_t begin = s.rfind('\n', at == 0 ? 0 : at - 1) + 1;
    return s.substr(begin, s.find('\n', at) - begin);
  };
  return "'" + line(a) + "' is not '" + line(b) + "'";
}

// It is in order and without gaps, and adds up to the counters of the run.
inline void check(const trace_log &log, tpu::core::network &net) {
  using namespace tpu::core;
  ASSERT_EQ(log.elapsed, net.elapsed());
  const std::size_t n = log.shape.processes.size();
  std::vector<cycle> at(n);
  std::vector<std::int64_t> steps(n);
  std::vector<std::int32_t> latest(n, -1);
  std::vector<unit_counters> sums(n);
  std::vector<wait_sums> waits(n);
  const trace_segment *before = nullptr;
  for (const trace_segment &s : log.segments) {
    if (before != nullptr) {
      ASSERT_TRUE(s.from > before->from || (s.from == before->from && s.process > before->process));
    }
    before = &s;
    const std::size_t k = s.process;
    ASSERT_EQ(s.from, at[k]) << log.shape.processes[k].name;
    const cycle to = s.to == trace_segment::to_the_end ? net.elapsed() : s.to;
    ASSERT_LT(s.from, to);
    ASSERT_LE(to, net.elapsed());
    at[k] = to;
    if (s.state == unit_state::busy) { // with the latest it has accepted, else waiting within it
      ASSERT_GE(s.issue, latest[k]);
      latest[k] = s.issue;
    } else if (s.state == unit_state::idle ||
               (s.state == unit_state::starved && s.on <= TPU_WAIT_C_DST)) {
      ASSERT_EQ(s.issue, -1);
    } else {
      ASSERT_EQ(s.issue, latest[k]);
    }
    if (s.state == unit_state::busy) {
      ASSERT_EQ(s.step, steps[k]);
      steps[k] += to - s.from;
      sums[k].busy += to - s.from;
    } else if (s.state == unit_state::idle) {
      sums[k].idle += to - s.from;
    } else {
      (s.state == unit_state::starved ? sums[k].starved : sums[k].blocked) += to - s.from;
      waits[k].add(s.state, s.on, to - s.from);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    const process_id id = log.shape.processes[k].id;
    const std::size_t t = net.params().t;
    const unit_counters want =
        id.unit == TPU_UNIT_WLD  ? net.loader_counters(id.instance / t, id.instance % t)
        : id.unit == TPU_UNIT_PE ? net.pe_counters(id.instance / t, id.instance % t)
                                 : net.counters(static_cast<enum tpu_unit>(id.unit));
    const std::string &name = log.shape.processes[k].name;
    ASSERT_EQ(sums[k].busy, want.busy) << name;
    ASSERT_EQ(sums[k].starved, want.starved) << name;
    ASSERT_EQ(sums[k].blocked, want.blocked) << name;
    ASSERT_EQ(sums[k].idle, want.idle) << name;
    ASSERT_TRUE(waits[k].account_for(want)) << name;
    ASSERT_EQ(waits[k].starved, net.waits(id).starved) << name;
    ASSERT_EQ(waits[k].blocked, net.waits(id).blocked) << name;
  }
  std::vector<std::uint32_t> tokens(log.shape.streams.size());
  for (const trace_log::change &c : log.changes) {
    ASSERT_NE(c.tokens, tokens[c.stream]);
    ASSERT_LE(c.tokens, log.shape.streams[c.stream].depth);
    tokens[c.stream] = c.tokens;
  }
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    ASSERT_EQ(tokens[k], net.streams()[k]->occupancy()) << log.shape.streams[k].name;
  }
}

} // namespace support
#endif
