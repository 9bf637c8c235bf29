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
  std::uint32_t ring = 4; // two of them fill a line
  while (ring < depth) {
    ring *= 2;
  }
  mask_ = ring - 1;
  times_.assign(ring / 4, line{});
  put_time_ = times_.front().at;
  take_time_ = put_time_ + ring;
}

void stream_timing::connect(std::string producer, std::string consumer) {
  producer_name_ = std::move(producer);
  consumer_name_ = std::move(consumer);
}

void stream_timing::connect(process_id producer, process_id consumer, enum tpu_wait kind) {
  kind_ = kind;
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
