/* SPDX-License-Identifier: Apache-2.0 */
// The console: bytes written come out as whole lines.
#ifndef TPU_PLATFORM_BUS_CONSOLE_H
#define TPU_PLATFORM_BUS_CONSOLE_H

#include "platform/bus/register_target.h"

#include <cstddef>
#include <ostream>
#include <string>

namespace tpu {

class console : public register_target {
public:
  static constexpr std::size_t max_text = std::size_t{1} << 20; // bytes text() keeps
  static constexpr std::size_t max_line = 4096;                 // a longer line goes out in pieces

  // out may be null: text is only collected.
  console(const sc_core::sc_module_name &name, std::ostream *out);

  // All bytes written since the last reset, the first max_text of them.
  const std::string &text() const { return text_; }
  bool truncated() const { return truncated_; }

  // Writes out an unfinished line, with a newline after it; at the end of a run.
  void flush();
  // Forgets text and an unfinished line.
  void reset();

private:
  tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t bytes,
                                         std::uint64_t at, std::uint32_t &value) override;
  tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t bytes,
                                          std::uint64_t at, std::uint32_t value) override;

  std::ostream *out_;
  std::string text_;
  std::string line_;
  bool truncated_ = false;
};

} // namespace tpu
#endif
