/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/page_record.h"

#include <algorithm>
#include <numeric>

namespace tpu::trace {

using core::cycle;
using core::unit_state;

void window_sums::widen(unsigned shift) {
  const cycle length = cycle{1} << shift;
  for (std::size_t k = 0; k < parts_.size(); k += 2) {
    part both = parts_[k];
    if (k + 1 < parts_.size()) {
      both.sum += parts_[k + 1].sum;
      both.change += parts_[k + 1].change;
    }
    both.sum += parts_[k].change * length; // what changed in the first lasts through the second
    parts_[k / 2] = both;
  }
  parts_.resize((parts_.size() + 1) / 2);
}

std::vector<cycle> window_sums::sums(std::size_t count, unsigned shift) const {
  std::vector<cycle> out(count);
  cycle value = 0;
  for (std::size_t k = 0; k < count; ++k) {
    out[k] = value << shift;
    if (k < parts_.size()) {
      out[k] += parts_[k].sum;
      value += parts_[k].change;
    }
  }
  return out;
}

void page_record::begin(const core::trace_shape &shape) {
  items_ = 0;
  detailed_ = true;
  places_.clear();
  processes_.clear();
  streams_.clear();
  issues_.clear();
  state_sums_.clear();
  stream_sums_.clear();
  mac_sums_ = {};
  shift_ = 0;
  for (const core::traced_process &p : shape.processes) {
    const auto row = static_cast<std::int16_t>(processes_.size());
    const auto fill = static_cast<std::int16_t>(p.fill);
    places_.push_back(
        {p.id.instance == 0 ? row : not_shown, p.id.unit == TPU_UNIT_PE ? fill : std::int16_t{-1}});
    if (p.id.instance == 0)
      processes_.push_back({p.name, p.id.unit, {}, {}, {}, {}});
  }
  for (const core::traced_stream &s : shape.streams)
    streams_.push_back({s.name, s.depth, 0, 0, {{0, 0}}, {}, {}});
  state_sums_.resize(processes_.size());
  stream_sums_.resize(streams_.size());
}

void page_record::count_item() {
  if (!detailed_ || ++items_ <= page_items)
    return;
  detailed_ = false;
  issues_ = {};
  for (std::size_t row = 0; row < processes_.size(); ++row) {
    for (const core::trace_segment &s : processes_[row].segments)
      add_state(row, s);
    processes_[row].segments = {};
  }
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    for (const change &c : streams_[k].changes)
      add_tokens(k, c);
    streams_[k].changes = {};
  }
}

void page_record::add_state(std::size_t row, const core::trace_segment &s) {
  if (s.state == unit_state::idle)
    return;
  const std::size_t kind = s.state == unit_state::busy ? 0 : s.state == unit_state::starved ? 1 : 2;
  add(state_sums_[row][kind], s.from, s.to);
}

void page_record::add_tokens(std::size_t k, const change &c) {
  reach(c.at);
  stream_sums &s = stream_sums_[k];
  s.tokens.change(c.at, cycle{c.tokens} - cycle{s.now}, shift_);
  s.now = c.tokens;
  const auto window = static_cast<std::size_t>(c.at >> shift_);
  if (window >= s.peaks.size())
    s.peaks.resize(window + 1);
  s.peaks[window].most = std::max(s.peaks[window].most, c.tokens);
  if (c.at == static_cast<cycle>(window) << shift_)
    s.peaks[window].from_start = true;
}

// Makes windows long enough that there are no more than allowed up to cycle `at`.
void page_record::reach(cycle at) {
  for (; at > static_cast<cycle>(page_windows) << shift_; ++shift_) {
    for (auto &of : state_sums_)
      for (window_sums &sums : of)
        sums.widen(shift_);
    for (stream_sums &s : stream_sums_) {
      s.tokens.widen(shift_);
      for (std::size_t k = 0; k < s.peaks.size(); k += 2) {
        s.peaks[k / 2] = s.peaks[k];
        if (k + 1 < s.peaks.size())
          s.peaks[k / 2].most = std::max(s.peaks[k].most, s.peaks[k + 1].most);
      }
      s.peaks.resize((s.peaks.size() + 1) / 2);
    }
    mac_sums_.widen(shift_);
  }
}

void page_record::add(window_sums &to, cycle from, cycle until) {
  reach(until);
  to.change(from, 1, shift_);
  to.change(until, -1, shift_);
}

void page_record::dispatched(std::int32_t, const tpu_issue &what) {
  count_item();
  if (detailed_)
    issues_.push_back(what);
}

inline void page_record::segment(const core::trace_segment &s) {
  const place of = places_[s.process];
  if (of.row == not_shown && (of.fill < 0 || s.state != unit_state::busy))
    return;
  const auto row = static_cast<std::size_t>(of.row);
  if (of.row != not_shown) {
    count_item();
    if (detailed_)
      processes_[row].segments.push_back(s);
    else
      add_state(row, s);
  }
  if (of.fill >= 0 && s.state == unit_state::busy) {
    const cycle filling = std::max<cycle>(of.fill - s.step, 0);
    if (s.from + filling < s.to)
      add(mac_sums_, s.from + filling, s.to);
  }
}

void page_record::segments(const core::trace_segment *first, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    segment(first[k]);
}

void page_record::occupancy(cycle at, std::size_t k, std::uint32_t tokens) {
  count_item();
  if (!detailed_) {
    add_tokens(k, {at, tokens});
    return;
  }
  std::vector<change> &changes = streams_[k].changes;
  if (changes.back().at == at)
    changes.back().tokens = tokens;
  else
    changes.push_back({at, tokens});
}

// Sums up the changes of a detailed run.
void page_record::total(stream_record &s) const {
  for (std::size_t k = 0; k < s.changes.size() && s.changes[k].at < elapsed_; ++k) {
    const cycle until = k + 1 < s.changes.size() ? s.changes[k + 1].at : elapsed_;
    s.sum += s.changes[k].tokens * (std::min(until, elapsed_) - s.changes[k].at);
    s.highest = std::max(s.highest, s.changes[k].tokens);
  }
}

void page_record::end(cycle elapsed) {
  elapsed_ = elapsed;
  reach(elapsed);
  const auto count = static_cast<std::size_t>((elapsed + window_length() - 1) >> shift_);
  macs_ = mac_sums_.sums(count, shift_);
  if (detailed_) {
    for (stream_record &s : streams_)
      total(s);
    return;
  }
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    processes_[p].busy = state_sums_[p][0].sums(count, shift_);
    processes_[p].starved = state_sums_[p][1].sums(count, shift_);
    processes_[p].blocked = state_sums_[p][2].sums(count, shift_);
  }
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    stream_sums &of = stream_sums_[s];
    const cycle after = (static_cast<cycle>(count) << shift_) - elapsed; // beyond the end
    streams_[s].sums = of.tokens.sums(count, shift_);
    if (count != 0)
      streams_[s].sums.back() -= after * of.now;
    cycle held = 0; // at the end of the window before
    of.peaks.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      const peak &p = of.peaks[k];
      streams_[s].most.push_back(p.from_start ? p.most
                                              : std::max(p.most, static_cast<std::uint32_t>(held)));
      held += of.tokens.changed(k);
    }
    streams_[s].sum = std::accumulate(streams_[s].sums.begin(), streams_[s].sums.end(), cycle{0});
    if (count != 0)
      streams_[s].highest = *std::max_element(streams_[s].most.begin(), streams_[s].most.end());
  }
}

} // namespace tpu::trace
