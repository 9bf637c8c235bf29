// SPDX-License-Identifier: Apache-2.0
// Machines of various widths, depths, image edges and bursts, for tests that take each of them.
#ifndef TPU_TEST_MODELS_COLUMNS_H
#define TPU_TEST_MODELS_COLUMNS_H

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace support {

struct column {
  std::uint32_t t, maxdim, qd, dma_words;
};

inline auto various_columns() {
  return testing::Values(column{4, 16, 16, 1}, column{4, 64, 8, 1}, column{4, 16, 3, 4},
                         column{5, 20, 7, 2}, column{8, 64, 4, 8}, column{16, 64, 16, 4});
}

inline std::string column_name(const testing::TestParamInfo<column> &which) {
  return "T" + std::to_string(which.param.t) + "_QD" + std::to_string(which.param.qd);
}

} // namespace support
#endif
