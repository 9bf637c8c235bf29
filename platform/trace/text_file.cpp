/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/text_file.h"

#include <cerrno>
#include <cstring>

#include <sys/stat.h>

namespace tpu::trace {

text_file::~text_file() {
  if (file_ != nullptr)
    (void)std::fclose(file_);
}

int text_file::open(const std::string &path, tpu_report *r) {
  path_ = path;
  file_ = std::fopen(path.c_str(), "wb");
  if (file_ == nullptr)
    return tpu_report_fail(r, TPU_ERR_USE, "%s: cannot be written: %s", path.c_str(),
                           std::strerror(errno));
  std::setbuf(file_, nullptr); // the buffer is here
  return 1;
}

void text_file::flush() {
  if (error_ == 0 && std::fwrite(buffer_.data(), 1, used_, file_) != used_)
    error_ = errno;
  used_ = 0;
}

int text_file::close(tpu_report *r) {
  flush();
  if (std::fclose(file_) != 0 && error_ == 0)
    error_ = errno;
  file_ = nullptr;
  return error_ == 0 ? 1
                     : tpu_report_fail(r, TPU_ERR_USE, "%s: cannot be written: %s", path_.c_str(),
                                       std::strerror(error_));
}

void text_file::discard() {
  struct stat s {};
  const bool regular = fstat(fileno(file_), &s) == 0 && S_ISREG(s.st_mode);
  (void)std::fclose(file_);
  file_ = nullptr;
  if (regular)
    (void)std::remove(path_.c_str());
}

} // namespace tpu::trace
