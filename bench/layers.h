// SPDX-License-Identifier: Apache-2.0
// The judge's legality layers, each by itself.
#ifndef TPU_BENCH_LAYERS_H
#define TPU_BENCH_LAYERS_H

#include "bench/machine.h"

namespace tpu::bench {

// The baseline of one spec of the build tree's corpus at the default parameters, checked again and
// again; numbers by layer_number, seconds of one check: of layers isa, encoding and spec, and of
// the protocol.
enum layer_number { CONTRACT_SECONDS, PROTOCOL_SECONDS, LAYER_NUMBERS };
outcome measure_layers(const places &where, const char *spec);

} // namespace tpu::bench
#endif
