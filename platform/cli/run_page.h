/* SPDX-License-Identifier: Apache-2.0 */
// A run as a page for a browser: what the other commands say of it, and its course over time.
#ifndef TPU_PLATFORM_CLI_RUN_PAGE_H
#define TPU_PLATFORM_CLI_RUN_PAGE_H

#include "platform/cli/report.h"
#include "platform/trace/page_record.h"
#include "platform/trace/text_file.h"

namespace tpu::cli {

struct page_view {
  const tpu_args *args = nullptr;
  const tpu_job *job = nullptr;
  const job_report *report = nullptr; // the session's last run, with its critical path
  session *s = nullptr;
  const trace::page_record *record = nullptr; // of the same run
};

// Writes the page, whose data are a document of docs/report.schema.json. 0 for lack of memory.
int put_page(const page_view &v, trace::text_file &out, tpu_report *r);

} // namespace tpu::cli
#endif
