// SPDX-License-Identifier: Apache-2.0
// What every unit of one accelerator is built from: parameters, timing, and the streams between
// the units with their widths, stated once.
#ifndef TPU_MODELS_CORE_MACHINE_H
#define TPU_MODELS_CORE_MACHINE_H

#include "models/core/memory_port.h"
#include "models/core/row_pipeline.h"
#include "platform/hw/registers.h"

namespace tpu::core {

// Bus addresses of one run.
struct run_addresses {
  std::uint64_t program = 0;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
};

const char *unit_name(enum tpu_unit u);
// "accu", "pe[3][0]": instances of the array are numbered row-major.
std::string process_name(process_id id, std::uint32_t t);

struct stream_set {
  stream_set(const tpu_params &p, const timing_profile &timing);
  void reset();
  // Those between units, as listed here.
  static constexpr std::size_t count = 12;
  std::array<stream_timing *, count> all();

  stream<command> c_dld, c_spm, c_vru, c_acc, c_dst; // sequencer to the units, 64 bits
  row_stream<std::int8_t> dma2sp, dma2vr;            // dma_ld to spm, vru: packed words
  row_stream<std::int8_t> sp2vr;                     // spm to vru
  row_stream<std::int8_t> wcol;                      // spm to the array: row count, T weight rows
  row_stream<std::int8_t> acol;                      // vru to the array: activation rows
  row_stream<std::int32_t> cw;                       // the array to accu: result rows
  row_stream<std::int8_t> ac2sp;                     // accu to dma_st: saturated rows
};

} // namespace tpu::core
#endif
