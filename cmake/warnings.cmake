# SPDX-License-Identifier: Apache-2.0
# Strict flags for our own code; system headers (SystemC, cJSON, GoogleTest) are exempt.
add_library(tpu_warnings INTERFACE)
target_compile_options(tpu_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                              -Wundef -Werror)
target_include_directories(tpu_warnings INTERFACE ${PROJECT_SOURCE_DIR})
