/* SPDX-License-Identifier: Apache-2.0 */
// Main memory with direct access, latency and bandwidth.
#ifndef TPU_PLATFORM_BUS_DRAM_H
#define TPU_PLATFORM_BUS_DRAM_H

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <systemc>
#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

namespace tpu {

struct dram_config {
  std::uint32_t bytes = 0;           // size, at least 1
  std::uint32_t latency_cycles = 0;  // from request to first byte; adds along a path
  std::uint32_t bytes_per_cycle = 0; // 0 = unlimited
};

// Any length and alignment inside the memory, byte enables included. Contents start as zeros.
class dram : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<dram> socket;

  dram(const sc_core::sc_module_name &name, const dram_config &config);

  // Cycles a transfer takes: latency, then ceil(bytes / bytes_per_cycle), where a transfer below
  // the 4 bytes of the data bus takes as long as one of 4.
  std::uint64_t access_cycles(std::uint32_t bytes) const;

  // The memory itself, for loaders and checks; size() bytes.
  std::uint8_t *data() { return memory_.get(); }
  const std::uint8_t *data() const { return memory_.get(); }
  std::uint32_t size() const { return config_.bytes; }

  // All zeros again; whoever holds a direct pointer is told to drop it.
  void clear();

private:
  void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  unsigned transport_dbg(tlm::tlm_generic_payload &trans);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi);

  struct free_memory {
    void operator()(std::uint8_t *p) const { std::free(p); }
  };
  dram_config config_;
  std::unique_ptr<std::uint8_t, free_memory> memory_; // pages untouched cost nothing
};

} // namespace tpu
#endif
