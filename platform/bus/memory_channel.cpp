/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/memory_channel.h"

#include <algorithm>

namespace tpu {

memory_channel::memory_channel(const dram_config &config)
    : config_(config), responses_(std::max<std::uint32_t>(config.outstanding, 1)) {}

void memory_channel::ask(unsigned initiator, std::uint64_t cycle, std::uint32_t bytes) {
  asked_.push_back({initiator, cycle, bytes});
}

std::uint64_t memory_channel::next() const {
  std::uint64_t first = never;
  for (const request &r : asked_)
    first = std::min(first, std::max(r.cycle, earliest_));
  return first;
}

memory_channel::grant memory_channel::accept(std::uint64_t now) {
  const auto made_first = [](const request &a, const request &b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.initiator < b.initiator;
  };
  const auto turn = std::min_element(asked_.begin(), asked_.end(), made_first);
  const request r = *turn;
  asked_.erase(turn);

  const std::uint64_t data = std::max(now + config_.latency_cycles, data_free_);
  const std::uint64_t moving = config_.traits().data_cycles(r.bytes);
  const std::uint64_t response = data + moving;
  idle_ += data - data_free_;
  data_free_ = response;
  responses_[accepted_ % responses_.size()] = response;
  ++accepted_;
  // The oldest response still kept is that of the request whose place the next one takes.
  earliest_ = std::max(now + 1, responses_[accepted_ % responses_.size()]);

  accounts_.resize(std::max<std::size_t>(accounts_.size(), r.initiator + 1));
  port_account &a = accounts_[r.initiator];
  ++a.requests;
  a.bytes += r.bytes;
  a.busy += moving;
  a.waiting += now - r.cycle + (data - now - config_.latency_cycles);
  a.in_memory += response - r.cycle;
  return {r.initiator, response};
}

std::uint64_t memory_channel::elapsed(std::uint64_t now) const {
  return std::max(now, data_free_) - since_;
}

std::uint64_t memory_channel::idle(std::uint64_t now) const {
  return idle_ + (std::max(now, data_free_) - data_free_);
}

void memory_channel::reset_accounts(std::uint64_t now) {
  accounts_.clear();
  data_free_ = since_ = std::max(now, data_free_);
  idle_ = 0;
}

} // namespace tpu
