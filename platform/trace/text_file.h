/* SPDX-License-Identifier: Apache-2.0 */
// A text file that is written piece by piece, fast.
#ifndef TPU_PLATFORM_TRACE_TEXT_FILE_H
#define TPU_PLATFORM_TRACE_TEXT_FILE_H

#include "judge/report.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

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

  text_file &operator<<(std::string_view text) {
    buffer_.append(text);
    return *this;
  }
  text_file &operator<<(char c) {
    buffer_.push_back(c);
    return *this;
  }
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  text_file &operator<<(Integer value) {
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    buffer_.append(digits, static_cast<std::size_t>(end - digits));
    return *this;
  }
  // Ends a piece: what has gathered goes out when it is much.
  void end_piece() {
    if (buffer_.size() >= enough)
      flush();
  }

private:
  static constexpr std::size_t enough = 1U << 16;
  void flush();

  std::string path_;
  std::string buffer_;
  std::FILE *file_ = nullptr;
  int error_ = 0; // errno of the first fault
};

} // namespace tpu::trace
#endif
