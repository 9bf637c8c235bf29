/* SPDX-License-Identifier: Apache-2.0 */
// Which initiator of the bus a transaction comes from: an ignorable extension, set by the router.
#ifndef TPU_PLATFORM_BUS_INITIATOR_H
#define TPU_PLATFORM_BUS_INITIATOR_H

#include <tlm.h>

namespace tpu {

class initiator_extension : public tlm::tlm_extension<initiator_extension> {
public:
  explicit initiator_extension(unsigned number) : number_(number) {}

  // In the order of their binding to the router; 0 for a transaction that came past it.
  static unsigned of(const tlm::tlm_generic_payload &trans) {
    const auto *who = trans.get_extension<initiator_extension>();
    return who != nullptr ? who->number_ : 0;
  }

  tlm::tlm_extension_base *clone() const override { return new initiator_extension(number_); }
  void copy_from(const tlm::tlm_extension_base &other) override {
    number_ = static_cast<const initiator_extension &>(other).number_;
  }

private:
  unsigned number_;
};

} // namespace tpu
#endif
