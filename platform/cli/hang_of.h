/* SPDX-License-Identifier: Apache-2.0 */
// The deadlock of a network, as the judge's structure.
#ifndef TPU_PLATFORM_CLI_HANG_OF_H
#define TPU_PLATFORM_CLI_HANG_OF_H

#include "judge/engine.h"
#include "models/core/network.h"

#include <string>
#include <vector>

namespace tpu::cli {

class hang {
public:
  // net: its last run ended in a deadlock. Nothing of it is kept.
  explicit hang(const core::network &net);
  hang(const hang &) = delete;
  hang &operator=(const hang &) = delete;
  ~hang() = default;

  const tpu_hang &view() const { return view_; }

private:
  std::vector<core::blocked_access> blocked_;
  std::vector<std::string> circle_;
  std::vector<std::string> clauses_;
  std::string sentence_;
  std::vector<tpu_hang_process> processes_; // point into blocked_
  std::vector<const char *> names_;         // into circle_
  std::vector<const char *> words_;         // into clauses_
  tpu_hang view_;
};

} // namespace tpu::cli
#endif
