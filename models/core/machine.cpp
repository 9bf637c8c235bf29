// SPDX-License-Identifier: Apache-2.0
#include "models/core/machine.h"

namespace tpu::core {

namespace {
constexpr std::uint32_t command_bits = 64;
}

stream_set::stream_set(const tpu_params &p, const timing_profile &timing) {
  const std::string last = std::to_string(p.t - 1);
  const auto commands = [&](stream<command> &s, const char *name, const char *consumer) {
    s.configure(name, p.qd, command_bits, timing);
    s.connect("sequencer", consumer);
  };
  commands(c_dld, "c_dld", "dma_ld");
  commands(c_spm, "c_spm", "spm");
  commands(c_vru, "c_vru", "vru");
  commands(c_acc, "c_acc", "accu");
  commands(c_dst, "c_dst", "dma_st");
  const auto rows = [&](auto &s, const std::string &name, const char *from, const char *to) {
    s.configure(name, p.qd, p.t, timing);
    s.connect(from, to);
  };
  rows(dma2sp, "dma2sp", "dma_ld", "spm");
  rows(dma2vr, "dma2vr", "dma_ld", "vru");
  rows(sp2vr, "sp2vr", "spm", "vru");
  rows(wcol, "wcol[0]", "spm", "wld[0][0]");
  rows(acol, "acol[0]", "vru", "pe[0][0]");
  rows(cw, "cw[" + last + "]", "pe", "accu");
  cw.connect("pe[" + last + "][" + last + "]", "accu");
  rows(ac2sp, "ac2sp", "accu", "dma_st");
}

void stream_set::reset() {
  for (stream_timing *s :
       std::initializer_list<stream_timing *>{&c_dld, &c_spm, &c_vru, &c_acc, &c_dst, &dma2sp,
                                              &dma2vr, &sp2vr, &wcol, &acol, &cw, &ac2sp}) {
    s->reset();
  }
}

} // namespace tpu::core
