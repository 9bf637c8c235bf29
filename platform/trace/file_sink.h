/* SPDX-License-Identifier: Apache-2.0 */
// A receiver of a trace that writes it to a file.
#ifndef TPU_PLATFORM_TRACE_FILE_SINK_H
#define TPU_PLATFORM_TRACE_FILE_SINK_H

#include "models/core/trace.h"
#include "platform/trace/text_file.h"

namespace tpu::trace {

class file_sink : public core::trace_sink {
public:
  // As of text_file.
  int open(const std::string &path, tpu_report *r) { return file_.open(path, r); }
  int close(tpu_report *r) { return file_.close(r); }
  void discard() { file_.discard(); }

protected:
  text_file file_;
};

} // namespace tpu::trace
#endif
