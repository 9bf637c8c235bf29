// SPDX-License-Identifier: Apache-2.0
#include "models/core/stream.h"

namespace tpu::core {

void stream_timing::configure(std::string name, std::uint32_t depth, std::uint32_t width_bits,
                              const timing_profile &timing) {
  name_ = std::move(name);
  depth_ = depth;
  const auto bits = static_cast<std::uint64_t>(width_bits) * depth;
  const bool ram = bits > static_cast<std::uint64_t>(timing.stream_ram_bits);
  latency_ = timing.stream_latency + (ram ? timing.stream_ram_cycles : 0);
  std::uint64_t ring = 1;
  while (ring < depth) {
    ring *= 2;
  }
  mask_ = ring - 1;
  put_time_.assign(ring, 0);
  take_time_.assign(ring, 0);
  reset();
}

void stream_timing::connect(std::string producer, std::string consumer) {
  producer_name_ = std::move(producer);
  consumer_name_ = std::move(consumer);
}

void stream_timing::connect(process_id producer, process_id consumer) {
  producer_id_ = producer;
  consumer_id_ = consumer;
}

void stream_timing::reset() {
  puts_ = 0;
  takes_ = 0;
  consumer_ = nullptr;
  producer_ = nullptr;
}

} // namespace tpu::core
