// SPDX-License-Identifier: Apache-2.0
#include "models/core/machine.h"

namespace tpu::core {

namespace {
constexpr std::uint32_t command_bits = 64;
}

const char *unit_name(enum tpu_unit u) {
  static const char *const names[] = {
#define TPU_UNIT_NAME(id, name) name,
      TPU_UNITS(TPU_UNIT_NAME)
#undef TPU_UNIT_NAME
  };
  return names[u];
}

std::string process_name(process_id id, std::uint32_t t) {
  const auto u = static_cast<enum tpu_unit>(id.unit);
  std::string name = unit_name(u);
  if (u == TPU_UNIT_WLD || u == TPU_UNIT_PE) {
    const std::uint32_t k = id.instance % (t * t); // a loader's register goes by the loader's name
    name += "[" + std::to_string(k / t) + "][" + std::to_string(k % t) + "]";
  }
  return name;
}

stream_set::stream_set(const tpu_params &p, const timing_profile &timing) {
  const auto commands = [&](stream<command> &s, const char *name, enum tpu_unit to,
                            enum tpu_wait kind) {
    s.configure(name, p.qd, command_bits, timing);
    s.connect(unit_name(TPU_UNIT_SEQUENCER), unit_name(to));
    s.connect(process_id{TPU_UNIT_SEQUENCER, 0}, process_id{static_cast<std::uint32_t>(to), 0},
              kind);
  };
  commands(c_dld, "c_dld", TPU_UNIT_DMA_LD, TPU_WAIT_C_DLD);
  commands(c_spm, "c_spm", TPU_UNIT_SPM, TPU_WAIT_C_SPM);
  commands(c_vru, "c_vru", TPU_UNIT_VRU, TPU_WAIT_C_VRU);
  commands(c_acc, "c_acc", TPU_UNIT_ACCU, TPU_WAIT_C_ACC);
  commands(c_dst, "c_dst", TPU_UNIT_DMA_ST, TPU_WAIT_C_DST);
  const auto rows = [&](auto &s, const std::string &name, process_id from, process_id to,
                        enum tpu_wait kind) {
    s.configure(name, p.qd, p.t, timing);
    s.connect(process_name(from, p.t), process_name(to, p.t));
    s.connect(from, to, kind);
  };
  rows(dma2sp, "dma2sp", {TPU_UNIT_DMA_LD, 0}, {TPU_UNIT_SPM, 0}, TPU_WAIT_DMA2SP);
  rows(dma2vr, "dma2vr", {TPU_UNIT_DMA_LD, 0}, {TPU_UNIT_VRU, 0}, TPU_WAIT_DMA2VR);
  rows(sp2vr, "sp2vr", {TPU_UNIT_SPM, 0}, {TPU_UNIT_VRU, 0}, TPU_WAIT_SP2VR);
  rows(wcol, "wcol[0]", {TPU_UNIT_SPM, 0}, {TPU_UNIT_WLD, 0}, TPU_WAIT_WCOL);
  rows(acol, "acol[0]", {TPU_UNIT_VRU, 0}, {TPU_UNIT_PE, 0}, TPU_WAIT_ACOL);
  rows(cw, "cw[" + std::to_string(p.t - 1) + "]", {TPU_UNIT_PE, p.t * p.t - 1}, {TPU_UNIT_ACCU, 0},
       TPU_WAIT_CW);
  rows(ac2sp, "ac2sp", {TPU_UNIT_ACCU, 0}, {TPU_UNIT_DMA_ST, 0}, TPU_WAIT_AC2SP);
}

std::array<stream_timing *, stream_set::count> stream_set::all() {
  return {&c_dld,  &c_spm, &c_vru, &c_acc, &c_dst, &dma2sp,
          &dma2vr, &sp2vr, &wcol,  &acol,  &cw,    &ac2sp};
}

void stream_set::reset() {
  for (stream_timing *s : all()) {
    s->reset();
  }
}

} // namespace tpu::core
