#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS: every fuzz target under libFuzzer, or by mutation where clang has none. What is
# found lies in build-fuzz/fuzz/found and belongs into test/fuzz/seeds once mended.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
seconds=$1

if echo 'int LLVMFuzzerTestOneInput(void){return 0;}' |
  clang -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null; then
  cmake --preset fuzz -DBUILD_TESTING=ON >&2
  engine=libfuzzer
else
  cmake --preset fuzz -DBUILD_TESTING=ON -DTPU_LIBFUZZER=OFF -DCMAKE_C_COMPILER=cc \
    -DCMAKE_CXX_COMPILER=c++ >&2
  engine=replay
fi
names=(test/fuzz/fuzz_*.c)
names=("${names[@]##*/}")
names=("${names[@]%.c}")
cmake --build build-fuzz --target "${names[@]}" >&2
mkdir -p build-fuzz/fuzz/found
for name in "${names[@]}"; do
  mapfile -t seeds <"build-fuzz/fuzz/$name.seeds"
  echo "fuzz: $name ($engine)"
  if [[ $engine == libfuzzer ]]; then
    grown=build-fuzz/fuzz/grown/$name # libFuzzer writes what it learns into the first directory
    mkdir -p "$grown"
    for seed in "${seeds[@]}"; do find "$seed" -type f -exec cp -t "$grown" {} +; done
    "build-fuzz/fuzz/$name" -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=2048 \
      -verbosity=0 -print_final_stats=1 -artifact_prefix="build-fuzz/fuzz/found/$name-" "$grown" 2>&1 |
      sed '/^###### Recommended/,/^###### End/d'
  else
    "build-fuzz/fuzz/$name" --mutations "$((seconds * 1000))" "${seeds[@]}"
  fi
done
