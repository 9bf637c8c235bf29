// SPDX-License-Identifier: Apache-2.0
// Critical paths by cause, and what holds for each: every cycle has one cause and one owner.
#ifndef TPU_TEST_MODELS_PATHS_H
#define TPU_TEST_MODELS_PATHS_H

#include <array>

#include "support.h"

namespace paths {

using tpu::core::cycle;
using tpu::core::path_cause;
using tpu::core::path_stretch;
using tpu::core::process_id;

inline const char *const cause_names[] = {
#define NAME(id, name, text) name,
    TPU_PATH_CAUSES(NAME)
#undef NAME
};

using causes = std::array<cycle, static_cast<std::size_t>(path_cause::count)>;

inline cycle of(const causes &c, path_cause which) { return c[static_cast<std::size_t>(which)]; }

inline causes sum(const std::vector<path_stretch> &path) {
  causes out{};
  for (const path_stretch &s : path) {
    out[static_cast<std::size_t>(s.cause)] += s.to - s.from;
  }
  return out;
}

// Which instructions may own a cycle of a cause; 0: none.
inline bool fits(path_cause cause, int op) {
  switch (cause) {
  case path_cause::operand_rows:
    return op == TPU_OP_DMA_LD || op == TPU_OP_VLD;
  case path_cause::weight_load:
  case path_cause::array_rows:
    return op == TPU_OP_MM;
  case path_cause::accumulator:
    return op == TPU_OP_MM || op == TPU_OP_VADD || op == TPU_OP_VRELU || op == TPU_OP_MVOUT;
  case path_cause::store:
  case path_cause::response_wait:
    return op == TPU_OP_MVOUT;
  case path_cause::dispatch:
    return op != 0;
  default:
    return op == 0;
  }
}

inline void check(const tpu::core::network &net) {
  std::size_t strays = 0;
  const std::vector<path_stretch> path = net.critical_path(&strays);
  ASSERT_EQ(strays, 0U);
  cycle at = 0;
  for (const path_stretch &s : path) {
    ASSERT_EQ(s.from, at);
    ASSERT_GT(s.to, s.from);
    const int op = s.issue < 0 ? 0 : net.issue(s.issue).op;
    ASSERT_TRUE(fits(s.cause, op))
        << cause_names[static_cast<std::size_t>(s.cause)] << " of "
        << tpu::core::process_name(s.owner, net.params().t) << " owned by operation " << op;
    at = s.to;
  }
  ASSERT_EQ(at, net.elapsed());
  for (std::uint32_t u = 0; u < TPU_UNIT_COUNT; ++u) {
    const auto unit = static_cast<enum tpu_unit>(u);
    ASSERT_TRUE(net.waits(unit).account_for(net.counters(unit))) << tpu::core::unit_name(unit);
  }
  const std::uint32_t t = net.params().t;
  for (std::uint32_t k = 0; k < t * t; ++k) {
    const process_id loader{TPU_UNIT_WLD, k};
    const process_id pe{TPU_UNIT_PE, k};
    ASSERT_TRUE(net.waits(loader).account_for(net.loader_counters(k / t, k % t))) << k;
    ASSERT_TRUE(net.waits(pe).account_for(net.pe_counters(k / t, k % t))) << k;
  }
}

} // namespace paths
#endif
