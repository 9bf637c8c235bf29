# SPDX-License-Identifier: Apache-2.0
# Instrumented builds; see the presets asan and fuzz.
option(TPU_SANITIZE "build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(TPU_LIBFUZZER "link the fuzz targets with libFuzzer (clang) in place of test/fuzz/replay.c" OFF)
if(TPU_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(TPU_LIBFUZZER)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
