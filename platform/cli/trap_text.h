/* SPDX-License-Identifier: Apache-2.0 */
// The instruction a trap happened at, in words.
#ifndef TPU_PLATFORM_CLI_TRAP_TEXT_H
#define TPU_PLATFORM_CLI_TRAP_TEXT_H

#include "platform/cpu/core.h"

#include <string>

namespace tpu::cli {

// ": addi a0,a0,1" by the cross objdump, if it is installed and knows the word; else "".
std::string disassembly(const rv_report &report);

} // namespace tpu::cli
#endif
