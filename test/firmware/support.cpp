/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

namespace {

using indices = std::array<uint32_t, 128>; /* by letter */

size_t offset_of(const tpu_workload &w, const char *subscript, const indices &at) {
  size_t offset = 0;
  for (; *subscript != '\0'; ++subscript) {
    offset = offset * tpu_index_size(&w, *subscript) + at[static_cast<unsigned char>(*subscript)];
  }
  return offset;
}

/* Adds the products under every value of the indices from number i on. */
void sum_over(const test_case &c, uint32_t i, indices &at, std::vector<int64_t> &sums) {
  const tpu_workload &w = c.workload;
  if (i == w.indices) {
    int64_t product = 1;
    for (uint32_t k = 0; k < w.inputs; ++k) {
      product *= c.input[k].at(offset_of(w, w.input[k].subscript, at));
    }
    sums.at(offset_of(w, w.output.subscript, at)) += product;
    return;
  }
  for (uint32_t v = 0; v < w.index[i].size; ++v) {
    at[w.index[i].letter] = v;
    sum_over(c, i + 1, at, sums);
  }
}

} // namespace

tpu_image_request test_case::request() const {
  tpu_image_request r{};
  r.workload = &workload;
  r.operands.input[0] = input[0].data();
  r.operands.input[1] = workload.inputs > 1 ? input[1].data() : nullptr;
  r.expected = expected.data();
  r.seed[0] = 11;
  r.seed[1] = 22;
  r.seed[2] = 33;
  return r;
}

test_case make_case(uint32_t i, uint32_t seed) {
  test_case c{};
  c.workload = arith_workload(i);
  std::mt19937 random(seed);
  for (uint32_t k = 0; k < c.workload.inputs; ++k) {
    c.input[k].resize(tpu_tensor_elements(&c.workload, &c.workload.input[k]));
    for (int8_t &v : c.input[k]) {
      v = static_cast<int8_t>(random());
    }
  }
  std::vector<int64_t> sums(tpu_tensor_elements(&c.workload, &c.workload.output));
  indices at{};
  sum_over(c, 0, at, sums);
  for (const int64_t sum : sums) {
    const int64_t floor = c.workload.relu != 0 ? 0 : -128;
    c.expected.push_back(static_cast<int8_t>(std::clamp<int64_t>(sum, floor, 127)));
  }
  return c;
}

tpu_params make_params(uint32_t t, uint32_t maxdim) {
  tpu_params p{};
  p.t = t;
  p.maxdim = maxdim;
  p.qd = 16;
  p.dma_words = 1;
  tpu_error e{};
  tpu_params_resolve(&p, &e);
  return p;
}

std::vector<uint64_t> build_payload(const tpu_image_request &request, tpu_error *e) {
  const size_t wanted = tpu_payload_bytes(&request);
  std::vector<uint64_t> buffer((wanted + 7) / 8 + 1);
  size_t bytes = 0;
  if (tpu_payload_build(&request, buffer.data(), buffer.size() * 8, &bytes, e) == 0) {
    return {};
  }
  return buffer;
}
