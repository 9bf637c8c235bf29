/* SPDX-License-Identifier: Apache-2.0 */
// The finisher: a program's last store says how it went.
#ifndef TPU_PLATFORM_BUS_FINISHER_H
#define TPU_PLATFORM_BUS_FINISHER_H

#include "platform/bus/register_target.h"

#include <functional>
#include <utility>

namespace tpu {

// One word at offset 0: 0x5555 passes (exit code 0), code << 16 | 0x3333 fails with that code.
// Other values are refused with TLM_GENERIC_ERROR_RESPONSE.
class finisher : public register_target {
public:
  explicit finisher(const sc_core::sc_module_name &name);

  // Called when a program finishes; stops the CPU and with it the simulation.
  void set_on_finish(std::function<void()> on_finish) { on_finish_ = std::move(on_finish); }

  bool finished() const { return finished_; }
  bool passed() const { return passed_; }
  std::uint32_t exit_code() const { return exit_code_; } // 0..65535, once finished
  std::uint64_t cycle() const { return cycle_; }         // absolute, of the store

  void reset();

private:
  tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t bytes,
                                         std::uint64_t at, std::uint32_t &value) override;
  tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t bytes,
                                          std::uint64_t at, std::uint32_t value) override;

  std::function<void()> on_finish_;
  bool finished_ = false;
  bool passed_ = false;
  std::uint32_t exit_code_ = 0;
  std::uint64_t cycle_ = 0;
};

} // namespace tpu
#endif
