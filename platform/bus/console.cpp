/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/console.h"

#include "platform/bus/regions.h"

namespace tpu {

console::console(const sc_core::sc_module_name &name, std::ostream *out)
    : register_target(name, static_cast<std::uint32_t>(region_CONSOLE.size)), out_(out) {}

void console::flush() {
  if (!line_.empty() && out_ != nullptr)
    *out_ << line_ << std::endl;
  line_.clear();
}

void console::reset() {
  text_.clear();
  line_.clear();
  truncated_ = false;
}

// The status of a transmitter that is always ready, as a 16550 reports it.
tlm::tlm_response_status console::read_register(std::uint32_t offset, std::uint32_t bytes,
                                                std::uint64_t, std::uint32_t &value) {
  if (offset != TPU_CONSOLE_LINE_STATUS || bytes != 1)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  value = 0x60;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status console::write_register(std::uint32_t offset, std::uint32_t bytes,
                                                 std::uint64_t, std::uint32_t value) {
  if (offset != TPU_CONSOLE_DATA || bytes != 1)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const char c = static_cast<char>(static_cast<unsigned char>(value));
  if (text_.size() < max_text)
    text_ += c;
  else
    truncated_ = true;
  line_ += c;
  if (c == '\n' || line_.size() >= max_line) {
    if (out_ != nullptr)
      *out_ << line_ << std::flush;
    line_.clear();
  }
  return tlm::TLM_OK_RESPONSE;
}

} // namespace tpu
