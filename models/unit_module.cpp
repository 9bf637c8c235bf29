// SPDX-License-Identifier: Apache-2.0
#include "models/unit_module.h"

namespace tpu {

unit_module::unit_module(const sc_core::sc_module_name &name, core::unit &u, bool masters_bus)
    : sc_module(name), unit_(u) {
  SC_HAS_PROCESS(unit_module);
  if (masters_bus) {
    SC_THREAD(run_thread);
  } else {
    SC_METHOD(run_method);
    sensitive << wake_;
    dont_initialize();
  }
}

void unit_module::run_thread() {
  for (;;) {
    wait(wake_);
    unit_.run();
  }
}

} // namespace tpu
