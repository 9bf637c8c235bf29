// SPDX-License-Identifier: Apache-2.0
// The machines stated as measured are those of the published calibration table.
#include "judge/measured.h"

#include "judge/calibration.h"
#include "test/judge/testing.h"

#include <array>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

namespace {

using machine = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>; // T, MAXDIM, QD, DMA_WORDS

std::set<machine> of_the_table() {
  std::set<machine> out;
  tpu_calibration table;
  tpu_report r{};
  EXPECT_EQ(tpu_calibration_read(TPU_SOURCE_DIR "/test/data/rtl_calibration.json", &table, &r), 1)
      << r.text;
  for (size_t i = 0; i < table.count; i++) {
    const tpu_params &p = table.point[i].params;
    tpu_platform_config config = tpu_config_default();
    config.params = p;
    EXPECT_EQ(tpu_extrapolated(&config), 0) << table.point[i].id; // other sizes too
    out.insert({p.t, p.maxdim, p.qd, p.dma_words});
  }
  tpu_calibration_release(&table);
  return out;
}

tpu_platform_config at(const machine &m) {
  tpu_platform_config c = tpu_config_default();
  tpu_error e;
  std::tie(c.params.t, c.params.maxdim, c.params.qd, c.params.dma_words) = m;
  EXPECT_EQ(tpu_params_resolve(&c.params, &e), 1);
  return c;
}

TEST(measured, what_is_not_marked_are_the_machines_of_the_calibration_table) {
  std::set<machine> unmarked;
  for (const uint32_t t : {4U, 8U, 16U, 32U})
    for (const uint32_t maxdim : {32U, 64U, 16U, 8U, 96U})
      for (uint32_t qd = TPU_MIN_QD; qd <= 40; qd++)
        for (const uint32_t words : {1U, 2U, 4U}) {
          tpu_platform_config c = tpu_config_default();
          tpu_error e;
          c.params.t = t;
          c.params.maxdim = maxdim;
          c.params.qd = qd;
          c.params.dma_words = words;
          if (tpu_params_resolve(&c.params, &e) != 0 && tpu_extrapolated(&c) == 0)
            unmarked.insert({t, maxdim, qd, words});
        }
  EXPECT_EQ(unmarked, of_the_table());
}

TEST(measured, any_other_size_or_memory_is_extrapolated) {
  const machine one{4, 64, 16, 1};
  EXPECT_STREQ(tpu_extrapolated_note(std::array{at(one)}.data()), "");
  for (uint32_t tpu_params::*size :
       {&tpu_params::spad_rows, &tpu_params::nvr, &tpu_params::nar, &tpu_params::imem_size}) {
    tpu_platform_config c = at(one);
    c.params.*size += 4;
    EXPECT_EQ(tpu_extrapolated(&c), 1);
    EXPECT_NE(std::string(tpu_extrapolated_note(&c)).find("extrapolated"), std::string::npos);
  }
  tpu_platform_config late = at(one);
  late.memory.latency_cycles = 1;
  EXPECT_EQ(tpu_extrapolated(&late), 1);
  tpu_platform_config narrow = at(one);
  narrow.memory.bytes_per_cycle = 64;
  EXPECT_EQ(tpu_extrapolated(&narrow), 1);
  tpu_platform_config core = at(one);
  core.cpu.load_cycles = 2;
  EXPECT_EQ(tpu_extrapolated(&core), 0); // no part in the accelerator's cycles
}

std::vector<uint32_t> list_after(const std::string &text, const std::string &key) {
  std::vector<uint32_t> out;
  std::istringstream in(text.substr(text.find(key) + key.size()));
  char comma = 0;
  for (uint32_t value = 0; in >> value; in >> comma)
    out.push_back(value);
  return out;
}

TEST(measured, the_text_names_each_and_no_other) {
  char text[TPU_MEASURED_BYTES];
  std::istringstream parts(tpu_measured_text(text));
  std::set<machine> named;
  for (std::string part; std::getline(parts, part, ';') && part.find("T=") != std::string::npos;)
    for (const uint32_t maxdim : list_after(part, "MAXDIM="))
      for (const uint32_t qd : list_after(part, "QD="))
        named.insert({list_after(part, "T=").at(0), maxdim, qd, 1});
  EXPECT_EQ(named, of_the_table());
  EXPECT_NE(std::string(text).find("all with DMA_WORDS=1, other sizes derived, an ideal memory"),
            std::string::npos);
}

} // namespace
