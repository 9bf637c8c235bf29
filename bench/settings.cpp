// SPDX-License-Identifier: Apache-2.0
#include "bench/settings.h"

#include "judge/number.h"

#include <cstring>

namespace tpu::bench {

const char *const usage =
    "usage: tpuvp_bench [OPTIONS]\n"
    "  speed of the simulation on this machine, against its targets\n"
    "  --repetitions N  samples of everything, whose median counts, 1..999 (default 5)\n"
    "  --starts N       runs of the accelerator a sample, 1..1000000 (default 100)\n"
    "  --rounds N       rounds of the core's kernels a sample, 1..100000 (default 100)\n"
    "  --columns N      columns of C of the GEMM by tiles, 1..4096 (default 768)\n"
    "  --only GROUP     accelerator, core, judge, process or tile (default all)\n"
    "  --check          exit with 1 when a target is missed\n"
    "  --json           print one JSON document on stdout and nothing else there\n"
    "  --help           this text\n";

namespace {

std::string parse_number(const char *option, const char *word, std::uint32_t most,
                         std::uint32_t &out) {
  std::uint64_t value = 0;
  if (tpu_number_decimal(word, std::strlen(word), nullptr, &value) != TPU_NUMBER_OK || value < 1 ||
      value > most)
    return std::string(option) + " " + word + ": an integer 1.." + std::to_string(most) +
           " is allowed";
  out = static_cast<std::uint32_t>(value);
  return "";
}

std::string parse_group(const std::string &word, settings &out) {
  out.accelerator = word == "accelerator";
  out.core = word == "core";
  out.judge = word == "judge";
  out.process = word == "process";
  out.tile = word == "tile";
  if (!out.accelerator && !out.core && !out.judge && !out.process && !out.tile)
    return "--only " + word + ": accelerator, core, judge, process or tile is allowed";
  return "";
}

} // namespace

std::string parse_settings(int argc, const char *const argv[], settings &out) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--json") {
      out.json = true;
    } else if (word == "--check") {
      out.check = true;
    } else if (word == "--help") {
      out.help = true;
    } else if (word == "--repetitions" || word == "--starts" || word == "--rounds" ||
               word == "--columns" || word == "--only") {
      if (++i == argc)
        return word + ": its value is missing";
      std::string why =
          word == "--repetitions" ? parse_number("--repetitions", argv[i], 999, out.repetitions)
          : word == "--starts"    ? parse_number("--starts", argv[i], 1000000, out.starts)
          : word == "--rounds"    ? parse_number("--rounds", argv[i], 100000, out.rounds)
          : word == "--columns"   ? parse_number("--columns", argv[i], 4096, out.columns)
                                  : parse_group(argv[i], out);
      if (!why.empty())
        return why;
    } else {
      return word + ": unknown; --repetitions, --starts, --rounds, --columns, --only, --check, "
                    "--json and --help are allowed";
    }
  }
  return "";
}

} // namespace tpu::bench
