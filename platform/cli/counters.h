/* SPDX-License-Identifier: Apache-2.0 */
// The counter table as rows to go through: names and sentences are platform/hw/counters.h's.
#ifndef TPU_PLATFORM_CLI_COUNTERS_H
#define TPU_PLATFORM_CLI_COUNTERS_H

#include "platform/hw/counters.h"

#include <array>

namespace tpu::cli {

struct counter_text {
  tpu_counter id;
  const char *name, *sentence;
};

struct wait_text {
  tpu_wait id;
  const char *name, *sentence;
};

inline constexpr std::array<counter_text, TPU_COUNTER_COUNT> counter_texts{{
#define TPU_COUNTER_TEXT(id, name, text) {TPU_COUNTER_##id, #name, text},
    TPU_COUNTERS(TPU_COUNTER_TEXT)
#undef TPU_COUNTER_TEXT
}};

inline constexpr std::array<wait_text, TPU_WAIT_COUNT> wait_texts{{
#define TPU_WAIT_TEXT(id, name, text) {TPU_WAIT_##id, #name, text},
    TPU_WAITS(TPU_WAIT_TEXT)
#undef TPU_WAIT_TEXT
}};

} // namespace tpu::cli
#endif
