/* SPDX-License-Identifier: Apache-2.0 */
/* The same images on QEMU's virt machine and on the core: what they print must be equal. */
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "firmware/tests/arith_report.h"
#include "machine.h"
#include "platform/elf.h"
#include "support.h"

namespace {

struct output {
  int exit_code;
  std::string text;
};

output shell(const std::string &command) {
  output o{-1, ""};
  // NOLINTNEXTLINE(cert-env33-c): the commands are this file's own
  FILE *pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return o;
  }
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    o.text.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  o.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::string plain; /* QEMU's serial line may add carriage returns */
  for (const char ch : o.text) {
    if (ch != '\r') {
      plain += ch;
    }
  }
  o.text = plain;
  return o;
}

std::string path(const std::string &name) { return TPU_FIRMWARE_DIR "/" + name + ".elf"; }

output qemu_file(const std::string &file) {
  return shell("timeout 120 " TPU_QEMU " -M virt -bios none -display none -monitor none "
               "-serial stdio -kernel " +
               file + " </dev/null 2>&1");
}

output qemu(const std::string &name) { return qemu_file(path(name)); }

output core(const std::string &name) {
  machine m(make_params(4, 16));
  EXPECT_TRUE(m.load_elf(read_file(path(name))));
  const int code = m.run(2000000000);
  return {code, m.console()};
}

void append(void *context, const char *line) { *static_cast<std::string *>(context) += line; }

std::string host_arithmetic() {
  std::string text;
  std::vector<uint64_t> scratch(arith_scratch_bytes() / 8 + 1);
  const arith_sink sink{append, &text};
  const unsigned lines = arith_report(scratch.data(), &sink);
  EXPECT_GT(lines, 100u);
  return text;
}

void expect_same_lines(const std::string &got, const std::string &want) {
  for (size_t a = 0, b = 0; a < got.size() || b < want.size();) {
    const size_t to_a = std::min(got.find('\n', a), got.size());
    const size_t to_b = std::min(want.find('\n', b), want.size());
    ASSERT_EQ(got.substr(a, to_a - a), want.substr(b, to_b - b));
    a = to_a + 1;
    b = to_b + 1;
  }
}

TEST(images, hello) {
  const std::string line = "hello from the core: 42, 60000000000\n";
  const output on_qemu = qemu("hello");
  EXPECT_EQ(on_qemu.exit_code, 0);
  EXPECT_EQ(on_qemu.text, line);
  const output on_core = core("hello");
  EXPECT_EQ(on_core.exit_code, 0);
  EXPECT_EQ(on_core.text, line);
}

TEST(images, arithmetic_on_qemu_is_the_hosts) {
  const output o = qemu("arith");
  EXPECT_EQ(o.exit_code, 0);
  expect_same_lines(o.text, host_arithmetic());
}

TEST(images, arithmetic_on_the_core_is_the_hosts) {
  const output o = core("arith");
  EXPECT_EQ(o.exit_code, 0);
  expect_same_lines(o.text, host_arithmetic());
}

TEST(images, corpus_without_a_payload_says_so) {
  const output on_qemu = qemu("tpu_corpus");
  EXPECT_EQ(on_qemu.exit_code, 2);
  EXPECT_NE(on_qemu.text.find("tpu_corpus: setup failed, payload: none there"), std::string::npos)
      << on_qemu.text;
  const output on_core = core("tpu_corpus");
  EXPECT_EQ(on_core.exit_code, 2);
  EXPECT_NE(on_core.text.find("payload: none there"), std::string::npos) << on_core.text;
}

TEST(images, self_contained_image_needs_no_toolchain) {
  const std::vector<uint8_t> application = read_file(path("tpu_corpus"));
  const test_case c = make_case(3, 7);
  tpu_error e{};
  const std::vector<uint64_t> payload = build_payload(c.request(), &e);
  ASSERT_FALSE(payload.empty()) << e.text;
  const auto *header = reinterpret_cast<const tpu_payload *>(payload.data());
  uint8_t *packed = nullptr;
  size_t bytes = 0;
  ASSERT_TRUE(tpu_elf_append_segment(
      "tpu_corpus.elf", application.data(), application.size(), TPU_PAYLOAD_BASE,
      reinterpret_cast<const uint8_t *>(payload.data()), header->total_bytes, &packed, &bytes, &e))
      << e.text;
  const std::vector<uint8_t> image(packed, packed + bytes);
  std::free(packed);
  for (const uint32_t maxdim : {16u, 64u}) { /* one image, every configuration */
    machine m(make_params(4, maxdim));
    ASSERT_TRUE(m.load_elf(image));
    EXPECT_EQ(m.run(), 0) << m.console();
    EXPECT_NE(m.console().find("shaped: exact"), std::string::npos) << m.console();
  }
  /* QEMU has no accelerator, but finds the payload: the segment is where it belongs. */
  const std::string file = testing::TempDir() + "self_contained.elf";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char *>(image.data()),
             static_cast<std::streamsize>(image.size()));
  const output o = qemu_file(file);
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_NE(o.text.find("shaped: setup failed, no accelerator"), std::string::npos) << o.text;
}

TEST(images, unhandled_traps_are_told) {
  const output on_core = core("trap");
  EXPECT_EQ(on_core.exit_code, 3);
  EXPECT_EQ(on_core.text.rfind("trap: illegal instruction, cause 0x00000002, pc 0x8000", 0), 0u)
      << on_core.text;
  const output on_qemu = qemu("trap");
  EXPECT_EQ(on_qemu.exit_code, 3);
  EXPECT_EQ(on_qemu.text, on_core.text);
}

TEST(guides, are_what_the_tables_say) {
  for (const char *name : {"registers", "memory-map", "counters"}) {
    const output o = shell(std::string(TPU_HW_DOCS) + " " + name);
    ASSERT_EQ(o.exit_code, 0);
    const std::vector<uint8_t> committed =
        read_file(std::string(TPU_SOURCE_DIR "/docs/") + name + ".md");
    EXPECT_EQ(o.text, std::string(committed.begin(), committed.end()))
        << "regenerate: tpu_hw_docs " << name << " > docs/" << name << ".md";
  }
}

} // namespace
