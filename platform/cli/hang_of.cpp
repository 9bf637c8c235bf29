/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/hang_of.h"

namespace tpu::cli {

namespace {

std::string describe(std::size_t processes, const std::vector<std::string> &circle) {
  std::string out = std::to_string(processes) + " processes wait for each other";
  const char *separator = ", in a circle: ";
  for (const std::string &name : circle) {
    out += separator + name;
    separator = " -> ";
  }
  if (!circle.empty())
    out += separator + circle.front();
  return out;
}

} // namespace

hang::hang(const core::network &net)
    : blocked_(net.blocked()), circle_(net.wait_cycle()),
      sentence_(describe(blocked_.size(), circle_)), view_{} {
  for (const core::blocked_access &b : blocked_)
    processes_.push_back({b.process.c_str(), b.kind == core::access_kind::get ? 1 : 0,
                          b.stream.c_str(), b.occupancy, b.depth, b.held.c_str()});
  for (const std::string &name : circle_)
    names_.push_back(name.c_str());
  view_ = {sentence_.c_str(), processes_.data(), processes_.size(), names_.data(), names_.size()};
}

} // namespace tpu::cli
