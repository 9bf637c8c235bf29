# SPDX-License-Identifier: Apache-2.0
# SystemC's headers take seconds to parse: they are precompiled once, here, and every target that
# calls tpu_systemc_target() reuses the result.

# The pkg-config include directories become SYSTEM ones: SystemC's own warnings are not ours.
get_target_property(tpu_systemc_includes PkgConfig::SYSTEMC INTERFACE_INCLUDE_DIRECTORIES)
if(tpu_systemc_includes)
  set_target_properties(PkgConfig::SYSTEMC PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
                                                      "${tpu_systemc_includes}")
endif()

# A precompiled header needs a source file to belong to.
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/systemc_pch.cpp CONTENT
     "// Owner of the precompiled SystemC headers.\n")
add_library(tpu_systemc_pch OBJECT ${CMAKE_CURRENT_BINARY_DIR}/systemc_pch.cpp)
# -Wpedantic changes predefined macros, so the header must be compiled with our warnings too.
target_link_libraries(tpu_systemc_pch PRIVATE PkgConfig::SYSTEMC tpu_warnings)
target_precompile_headers(tpu_systemc_pch PRIVATE <systemc> <tlm.h>
                          <tlm_utils/simple_initiator_socket.h> <tlm_utils/simple_target_socket.h>)

# tpu_systemc_target(NAME): makes NAME (a library or executable of C++ sources) a SystemC target.
# Its code generation flags (-m..., -f...) must be those of the whole build, or GCC refuses the
# precompiled header; code that wants its own, and C, belong in a target
# without SystemC. The target also needs tpu_warnings.
function(tpu_systemc_target name)
  target_link_libraries(${name} PUBLIC PkgConfig::SYSTEMC)
  target_precompile_headers(${name} REUSE_FROM tpu_systemc_pch)
endfunction()
