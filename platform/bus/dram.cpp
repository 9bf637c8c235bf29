/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/dram.h"

#include "platform/bus/clock.h"
#include "platform/bus/initiator.h"
#include "platform/bus/payload.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace tpu {

static std::uint8_t *zeroed(std::uint32_t bytes) {
  void *p = std::calloc(bytes, 1);
  if (p == nullptr)
    throw std::bad_alloc();
  return static_cast<std::uint8_t *>(p);
}

dram::dram(const sc_core::sc_module_name &name, const dram_config &config)
    : sc_module(name), socket("socket"), config_(config), memory_(zeroed(config.bytes)) {
  socket.register_b_transport(this, &dram::b_transport);
  socket.register_transport_dbg(this, &dram::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &dram::get_direct_mem_ptr);
  ports_.push_back(std::make_unique<memory_channel>(config_));
  SC_HAS_PROCESS(dram);
  SC_METHOD(accept);
  sensitive << acceptable_;
  dont_initialize();
}

void dram::clear() {
  socket->invalidate_direct_mem_ptr(0, size() - 1);
  memory_.reset(zeroed(config_.bytes));
}

std::uint64_t dram::access_cycles(std::uint32_t bytes) const {
  return config_.latency_cycles + config_.traits().data_cycles(bytes);
}

memory_channel &dram::port_of(unsigned initiator) {
  if (!config_.per_initiator)
    return *ports_[0];
  while (ports_.size() <= initiator)
    ports_.push_back(std::make_unique<memory_channel>(config_));
  return *ports_[initiator];
}

void dram::reset_accounts(unsigned initiators) {
  if (initiators != 0)
    (void)port_of(initiators - 1);
  for (const auto &port : ports_)
    port->reset_accounts(time_to_cycles(sc_core::sc_time_stamp()));
}

void dram::notify_next(const memory_channel &port) {
  const std::uint64_t cycle = port.next();
  if (cycle != memory_channel::never) // an earlier notification that is pending stays
    acceptable_.notify(cycles_to_time(cycle) + half_cycle() - sc_core::sc_time_stamp());
}

void dram::accept() {
  const std::uint64_t now = time_to_cycles(sc_core::sc_time_stamp()) - 1;
  for (const auto &port : ports_) {
    if (port->next() <= now) {
      const memory_channel::grant grant = port->accept(now);
      turns_[grant.initiator]->response = grant.response;
      turns_[grant.initiator]->accepted.notify(); // before a pause could split the accounts
    }
    notify_next(*port);
  }
}

void dram::await(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
  const unsigned initiator = initiator_extension::of(trans);
  while (turns_.size() <= initiator)
    turns_.push_back(std::make_unique<turn>());
  memory_channel &port = port_of(initiator);
  port.ask(initiator, time_to_cycles(sc_core::sc_time_stamp() + delay), trans.get_data_length());
  notify_next(port);
  wait(turns_[initiator]->accepted);
  delay = cycles_to_time(turns_[initiator]->response) - sc_core::sc_time_stamp();
}

static void copy(std::uint8_t *memory, tlm::tlm_generic_payload &trans) {
  std::uint8_t *const data = trans.get_data_ptr();
  const unsigned length = trans.get_data_length();
  const std::uint8_t *const enables = trans.get_byte_enable_ptr();
  if (enables == nullptr) {
    if (trans.is_write())
      std::memcpy(memory, data, length);
    else
      std::memcpy(data, memory, length);
    return;
  }
  for (unsigned i = 0; i < length; i++) {
    if (enables[i % trans.get_byte_enable_length()] != TLM_BYTE_ENABLED)
      continue;
    if (trans.is_write())
      memory[i] = data[i];
    else
      data[i] = memory[i];
  }
}

void dram::b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
  tlm::tlm_response_status status = check_payload(trans);
  const std::uint64_t address = trans.get_address();
  const unsigned length = trans.get_data_length();
  if (status == tlm::TLM_OK_RESPONSE) {
    if (trans.get_byte_enable_ptr() != nullptr && trans.get_byte_enable_length() == 0)
      status = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    else if (address >= size() || length > size() - address)
      status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  trans.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE)
    return;
  if (!ideal())
    await(trans, delay);
  copy(data() + address, trans);
  trans.set_dmi_allowed(true);
}

unsigned dram::transport_dbg(tlm::tlm_generic_payload &trans) {
  const std::uint64_t address = trans.get_address();
  if (check_payload(trans) != tlm::TLM_OK_RESPONSE || address >= size())
    return 0;
  const unsigned length =
      static_cast<unsigned>(std::min<std::uint64_t>(trans.get_data_length(), size() - address));
  if (trans.is_write())
    std::memcpy(data() + address, trans.get_data_ptr(), length);
  else
    std::memcpy(trans.get_data_ptr(), data() + address, length);
  return length;
}

// The latencies are those of one access of up to 4 bytes.
bool dram::get_direct_mem_ptr(tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi) {
  const bool inside = trans.get_address() < size();
  dmi.set_start_address(0);
  dmi.set_end_address(size() - 1);
  if (!inside) {
    dmi.allow_none();
    return false;
  }
  if (ideal())
    dmi.allow_read_write();
  else
    dmi.allow_read();
  dmi.set_dmi_ptr(data());
  dmi.set_read_latency(cycles_to_time(access_cycles(4)));
  dmi.set_write_latency(cycles_to_time(access_cycles(4)));
  return true;
}

} // namespace tpu
