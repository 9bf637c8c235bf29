// SPDX-License-Identifier: Apache-2.0
#include "models/core/timeline.h"

namespace tpu::core {

void timeline::times(index from, index until, cycle *out) const {
  const segment *s = find(from);
  for (index c = from; c < until; ++s) {
    const index stop = std::min(until, end(*s));
    for (cycle t = c + s->offset; c < stop; ++c) {
      *out++ = t++;
    }
  }
}

} // namespace tpu::core
