/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/page_record.h"

#include <algorithm>

namespace tpu::trace {

using core::cycle;
using core::unit_state;

void page_record::begin(const core::trace_shape &shape) {
  items_ = 0;
  detailed_ = true;
  row_of_.clear();
  fill_.clear();
  processes_.clear();
  streams_.clear();
  issues_.clear();
  windows_.clear();
  length_ = 1;
  for (const core::traced_process &p : shape.processes) {
    row_of_.push_back(p.id.instance == 0 ? processes_.size() : not_shown);
    fill_.push_back(p.id.unit == TPU_UNIT_PE ? p.fill : -1);
    if (p.id.instance == 0)
      processes_.push_back({p.name, p.id.unit, {}});
  }
  for (const core::traced_stream &s : shape.streams)
    streams_.push_back({s.name, s.depth, {{0, 0}}});
  now_.assign(streams_.size(), {0, 0});
}

void page_record::count_item() {
  if (!detailed_ || ++items_ <= allowed_)
    return;
  detailed_ = false;
  issues_ = {};
  for (process_record &p : processes_)
    p.segments = {};
  for (stream_record &s : streams_)
    s.changes = {};
}

// Two windows become one.
void page_record::widen() {
  for (std::size_t k = 0; k < windows_.size(); k += 2) {
    window both = std::move(windows_[k]);
    if (k + 1 < windows_.size()) {
      const window &second = windows_[k + 1];
      for (std::size_t p = 0; p < both.processes.size(); ++p)
        for (std::size_t s = 0; s < both.processes[p].size(); ++s)
          both.processes[p][s] += second.processes[p][s];
      for (std::size_t s = 0; s < both.streams.size(); ++s) {
        both.streams[s].sum += second.streams[s].sum;
        both.streams[s].most = std::max(both.streams[s].most, second.streams[s].most);
      }
      both.macs += second.macs;
    }
    windows_[k / 2] = std::move(both);
  }
  windows_.resize((windows_.size() + 1) / 2);
  length_ *= 2;
}

template <class Each> void page_record::spread(cycle from, cycle to, Each each) {
  while (to > length_ * static_cast<cycle>(page_windows))
    widen();
  while (from < to) {
    const auto k = static_cast<std::size_t>(from / length_);
    while (k >= windows_.size())
      windows_.push_back(
          {std::vector<shares>(processes_.size()), std::vector<held>(streams_.size()), 0});
    const cycle until = std::min(to, (from / length_ + 1) * length_);
    each(windows_[k], until - from);
    from = until;
  }
}

void page_record::dispatched(std::int32_t, const tpu_issue &what) {
  count_item();
  if (detailed_)
    issues_.push_back(what);
}

void page_record::segment(const core::trace_segment &s) {
  const std::size_t row = row_of_[s.process];
  if (row != not_shown) {
    count_item();
    if (detailed_)
      processes_[row].segments.push_back(s);
  }
  if (s.state == unit_state::idle)
    return;
  if (row != not_shown)
    spread(s.from, s.to, [&](window &w, cycle cycles) {
      const std::size_t kind = s.state == unit_state::busy      ? 0
                               : s.state == unit_state::starved ? 1
                                                                : 2;
      w.processes[row][kind] += cycles;
    });
  if (fill_[s.process] >= 0 && s.state == unit_state::busy) {
    const cycle filling = std::max<cycle>(fill_[s.process] - s.step, 0);
    spread(std::min(s.from + filling, s.to), s.to,
           [](window &w, cycle cycles) { w.macs += cycles; });
  }
}

// What a stream has held since its last change.
void page_record::hold(std::size_t stream, cycle until) {
  const change &since = now_[stream];
  if (since.tokens != 0)
    spread(since.at, until, [&](window &w, cycle cycles) {
      held &h = w.streams[stream];
      h.sum += cycles * since.tokens;
      h.most = std::max(h.most, since.tokens);
    });
}

void page_record::occupancy(cycle at, std::size_t stream, std::uint32_t tokens) {
  count_item();
  hold(stream, at);
  now_[stream] = {at, tokens};
  if (!detailed_)
    return;
  std::vector<change> &changes = streams_[stream].changes;
  if (changes.back().at == at)
    changes.back().tokens = tokens;
  else
    changes.push_back(now_[stream]);
}

void page_record::end(cycle elapsed) {
  elapsed_ = elapsed;
  for (std::size_t s = 0; s < streams_.size(); ++s)
    hold(s, elapsed);
  spread(elapsed - (elapsed > 0 ? 1 : 0), elapsed, [](window &, cycle) {}); // idle at the end
}

} // namespace tpu::trace
