/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/report.h"

#include <cinttypes>
#include <cstdio>

namespace tpu::cli {

namespace {

bool ideal(const tpu_memory_config &m) { return tpu_memory_is_ideal(&m) != 0; }

// An ideal memory is never busy; requests to it go uncounted.
void put_port_account(tpu_json_writer *w, const char *key, const port_account &a,
                      const tpu_memory_config &c) {
  tpu_json_begin_object(w, key);
  const struct {
    const char *key;
    std::uint64_t value;
  } counted[] = {{"requests", a.requests}, {"bytes", a.bytes}};
  for (const auto &item : counted) {
    if (ideal(c))
      tpu_json_put_null(w, item.key);
    else
      tpu_json_put_u64(w, item.key, item.value);
  }
  tpu_json_put_u64(w, "busy", a.busy);
  tpu_json_put_u64(w, "waiting", a.waiting);
  tpu_json_put_u64(w, "latency", a.requests * c.latency_cycles);
  tpu_json_put_u64(w, "in_memory", a.in_memory);
  tpu_json_end(w);
}

} // namespace

void print_memory(const tpu_memory_config &c, const memory_account &m) {
  if (ideal(c))
    return;
  std::printf("\n  memory: %u cycles of latency, ", c.latency_cycles);
  if (c.bytes_per_cycle != 0)
    std::printf("%u bytes a cycle", c.bytes_per_cycle);
  else
    std::printf("unlimited bandwidth");
  std::printf(", %u outstanding, %s\n", c.outstanding,
              c.ports == TPU_PORTS_SHARED ? "one port for all" : "a port for each initiator");
  std::printf("  %-10s %10s %10s %8s %8s %8s\n", "initiator", "requests", "bytes", "busy",
              "waiting", "latency");
  port_account sum;
  const auto line = [&c](const char *name, const port_account &a) {
    std::printf("  %-10s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
                name, a.requests, a.bytes, a.busy, a.waiting, a.requests * c.latency_cycles);
  };
  for (const initiator_account &i : m.initiators) {
    line(i.name, i.memory);
    sum += i.memory;
  }
  line("total", sum);
  for (const memory_account::port &p : m.ports)
    std::printf("  port %-10s %" PRIu64 " busy + %" PRIu64 " idle = %" PRIu64
                " cycles, boot to end\n",
                (p.name + ":").c_str(), p.busy, p.idle, p.cycles);
  std::printf(
      "  busy + waiting + latency = cycles of the requests, each from being made to its last "
      "data\n");
}

void put_memory(const tpu_memory_config &c, const memory_account &m, const char *key,
                tpu_json_writer *w) {
  tpu_json_begin_object(w, key);
  tpu_json_put_bool(w, "ideal", ideal(c));
  tpu_json_put_u64(w, "latency_cycles", c.latency_cycles);
  tpu_json_begin_object(w, "initiators");
  port_account sum;
  for (const initiator_account &i : m.initiators) {
    put_port_account(w, i.name, i.memory, c);
    sum += i.memory;
  }
  tpu_json_end(w);
  put_port_account(w, "total", sum, c);
  tpu_json_begin_array(w, "ports");
  for (const memory_account::port &p : m.ports) {
    tpu_json_begin_object(w, nullptr);
    tpu_json_put_string(w, "name", p.name.c_str());
    tpu_json_put_u64(w, "cycles", p.cycles);
    tpu_json_put_u64(w, "busy", p.busy);
    tpu_json_put_u64(w, "idle", p.idle);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_end(w);
}

} // namespace tpu::cli
