// SPDX-License-Identifier: Apache-2.0
// One unit as a SystemC module: a process that runs it whenever it is scheduled.
#ifndef TPU_MODELS_UNIT_MODULE_H
#define TPU_MODELS_UNIT_MODULE_H

#include <systemc>

#include "models/core/unit.h"

namespace tpu {

class unit_module : public sc_core::sc_module {
public:
  // A unit that masters the bus needs a thread, since a bus transfer may take simulation time;
  // the others are methods, which cost no stack switch.
  unit_module(const sc_core::sc_module_name &name, core::unit &u, bool masters_bus);
  // Its process runs in this delta; a method after the methods already woken. Not from that
  // process.
  void wake() { wake_.notify(); }

private:
  void run_method() { unit_.run(); }
  void run_thread();

  core::unit &unit_;
  sc_core::sc_event wake_;
};

} // namespace tpu
#endif
