/* SPDX-License-Identifier: Apache-2.0 */
/* A valid spec of every member, and one member of it changed. */
#ifndef TPU_TEST_JUDGE_SPEC_TEXTS_H
#define TPU_TEST_JUDGE_SPEC_TEXTS_H

#include <gtest/gtest.h>

#include <string>

/* Reads as file case_x.json or 01_case_x.json. */
inline std::string valid_spec() {
  return R"({
  "name": "case_x",
  "stresses": "every member that a spec can have",
  "einsum": "mk,kn->mn",
  "dims": {
    "m": 16,
    "k": 8,
    "n": 12
  },
  "inputs": [
    {"name": "X", "subscript": "mk", "dtype": "int8", "buffer": "A", "origin": [0, 0]},
    {"name": "W", "subscript": "kn", "dtype": "int8", "buffer": "B", "origin": [4, 8]}
  ],
  "constants": [
    {"name": "I", "kind": "identity", "rows": "T", "cols": "T", "buffer": "B", "origin": [32, 0]},
    {"name": "D", "kind": "data", "rows": 2, "cols": 3, "buffer": "A", "dtype": "int8",
     "origin": [32, 0], "data": [[1, -2, 3], [-128, 127, 0]]}
  ],
  "output": {"name": "Y", "subscript": "mn", "dtype": "int8", "buffer": "C", "origin": [2, 4],
             "write_window": "column_block"},
  "accumulator": "int32",
  "epilogue": ["relu", "saturate"],
  "operand_pad": "zero",
  "known_gap": null
}
)";
}

/* The valid spec with its one occurrence of from replaced; empty: nothing is replaced. */
inline std::string spec_with(const std::string &from, const std::string &to) {
  std::string text = valid_spec();
  if (from.empty())
    return text;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from << " is not unique";
  if (at != std::string::npos)
    text.replace(at, from.size(), to);
  return text;
}

#endif
