/* SPDX-License-Identifier: Apache-2.0 */
// The smallest ELF an image can be: header, program headers, segments. Written for tests, from the
// specification and not from the loader's tables.
#ifndef TPU_TEST_CPU_ELF_WRITER_H
#define TPU_TEST_CPU_ELF_WRITER_H

#include <cstdint>
#include <string>
#include <vector>

struct elf_part {
  std::uint32_t address;
  std::vector<std::uint8_t> bytes;
  std::uint32_t memory_bytes = 0; // 0 = as many as in the file
};

inline std::vector<std::uint8_t> write_elf(std::uint32_t entry,
                                           const std::vector<elf_part> &parts) {
  std::vector<std::uint8_t> out;
  const auto half = [&out](std::uint32_t v) {
    out.push_back(static_cast<std::uint8_t>(v));
    out.push_back(static_cast<std::uint8_t>(v >> 8));
  };
  const auto word = [&half](std::uint32_t v) {
    half(v & 0xffff);
    half(v >> 16);
  };
  out = {0x7f, 'E', 'L', 'F', 1, 1, 1};
  out.resize(16);
  half(2);   // executable
  half(243); // RISC-V
  word(1);
  word(entry);
  word(52); // program headers follow
  word(0);  // no sections
  word(0);  // flags: ilp32, nothing compressed
  half(52);
  half(32);
  half(static_cast<std::uint32_t>(parts.size()));
  half(40);
  half(0);
  half(0);
  std::uint32_t offset = static_cast<std::uint32_t>(52 + 32 * parts.size());
  for (const elf_part &p : parts) {
    const auto size = static_cast<std::uint32_t>(p.bytes.size());
    for (const std::uint32_t v : {1u, offset, p.address, p.address, size,
                                  p.memory_bytes == 0 ? size : p.memory_bytes, 7u, 1u})
      word(v);
    offset += size;
  }
  for (const elf_part &p : parts)
    out.insert(out.end(), p.bytes.begin(), p.bytes.end());
  return out;
}

inline std::vector<std::uint8_t> bytes_of(const std::vector<std::uint32_t> &words) {
  std::vector<std::uint8_t> out;
  for (const std::uint32_t w : words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      out.push_back(static_cast<std::uint8_t>(w >> shift));
  return out;
}

#endif
