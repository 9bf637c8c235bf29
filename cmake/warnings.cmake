# SPDX-License-Identifier: Apache-2.0
# Strict flags for our own code; system headers (SystemC, cJSON, GoogleTest) are exempt.
option(TPU_WERROR "Warnings are errors" ON)
set(TPU_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef)
if(TPU_WERROR)
  list(APPEND TPU_WARNINGS -Werror)
endif()
add_library(tpu_warnings INTERFACE)
target_compile_options(tpu_warnings INTERFACE ${TPU_WARNINGS})
target_include_directories(tpu_warnings INTERFACE ${PROJECT_SOURCE_DIR})
