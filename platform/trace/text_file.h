/* SPDX-License-Identifier: Apache-2.0 */
// A text file that is written piece by piece, fast.
#ifndef TPU_PLATFORM_TRACE_TEXT_FILE_H
#define TPU_PLATFORM_TRACE_TEXT_FILE_H

#include "judge/report.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tpu::trace {

class text_file {
public:
  text_file() = default;
  text_file(const text_file &) = delete;
  text_file &operator=(const text_file &) = delete;
  ~text_file();

  // Replaces the file. 0 with the report when it cannot be written.
  int open(const std::string &path, tpu_report *r);
  // Writes what is left; 0 with the report when anything could not be written.
  int close(tpu_report *r);
  // Takes back what was opened: a regular file goes.
  void discard();

  text_file &operator<<(std::string_view text) {
    if (text.size() > room()) {
      flush();
      if (text.size() > room())
        buffer_.resize(used_ + text.size());
    }
    std::memcpy(buffer_.data() + used_, text.data(), text.size());
    used_ += text.size();
    return *this;
  }
  text_file &operator<<(char c) { return *this << std::string_view(&c, 1); }
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  text_file &operator<<(Integer value) {
    constexpr std::size_t digits = 24;
    if (room() < digits)
      flush();
    char *const at = buffer_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(at, at + digits, value).ptr - at);
    return *this;
  }

  // Room for at most so many characters, of which use() then takes the first.
  char *reserve(std::size_t most) {
    if (most > room())
      flush();
    return buffer_.data() + used_;
  }
  void use(std::size_t characters) { used_ += characters; }

private:
  std::size_t room() const { return buffer_.size() - used_; }
  void flush();

  std::string path_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
  std::size_t used_ = 0;
  std::FILE *file_ = nullptr;
  int error_ = 0; // errno of the first fault
};

} // namespace tpu::trace
#endif
