/* SPDX-License-Identifier: Apache-2.0 */
// The ELF loader against images good, bad and cut off, and the writer that adds a segment.
#include "platform/elf.h"

#include "test/cpu/elf_writer.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <string>

namespace {

using image = std::vector<std::uint8_t>;

constexpr std::uint32_t base = 0x80000000;
const tpu_elf_region memory[] = {{"dram", base, 0x10000}};

image good() {
  return write_elf(base + 4, {{base, {1, 2, 3, 4, 5, 6, 7, 8}}, {base + 0x100, {9, 10}, 0x20}});
}

bool parse(const image &data, tpu_elf *elf, std::string *why) {
  tpu_error e = {};
  const image exact(data.begin(),
                    data.end()); // its own allocation: a sanitizer sees reads past the end
  const bool ok = tpu_elf_parse("x.elf", exact.data(), exact.size(), memory, 1, elf, &e) != 0;
  *why = e.text;
  elf->data = data.data();
  return ok;
}

using bytes_at = std::map<std::uint32_t, int>;

int put(void *context, std::uint32_t address, const std::uint8_t *source, std::uint32_t bytes) {
  auto *out = static_cast<bytes_at *>(context);
  for (std::uint32_t i = 0; i < bytes; i++)
    (*out)[address + i] = source == nullptr ? 0 : source[i];
  return 1;
}

void set32(image &i, std::size_t at, std::uint32_t v) {
  for (std::size_t k = 0; k < 4; k++)
    i[at + k] = static_cast<std::uint8_t>(v >> (8 * k));
}

TEST(elf, loads_segments_and_zeros) {
  const image data = good();
  tpu_elf elf;
  std::string why;
  ASSERT_TRUE(parse(data, &elf, &why)) << why;
  EXPECT_EQ(elf.entry, base + 4);
  ASSERT_EQ(elf.segments, 2u);
  bytes_at got;
  ASSERT_EQ(tpu_elf_load(&elf, put, &got), 1);
  EXPECT_EQ(got.size(), 8u + 0x20);
  EXPECT_EQ(got[base + 7], 8);
  EXPECT_EQ(got[base + 0x101], 10);
  EXPECT_EQ(got[base + 0x102], 0);
  EXPECT_EQ(got.count(base + 0x11f), 1u);
  EXPECT_EQ(got.count(base + 0x120), 0u);
}

TEST(elf, load_stops_when_put_refuses) {
  const image data = good();
  tpu_elf elf;
  std::string why;
  ASSERT_TRUE(parse(data, &elf, &why));
  int calls = 0;
  const tpu_elf_put refuse = [](void *c, std::uint32_t, const std::uint8_t *, std::uint32_t) {
    return ++*static_cast<int *>(c) < 2 ? 1 : 0;
  };
  EXPECT_EQ(tpu_elf_load(&elf, refuse, &calls), 0);
  EXPECT_EQ(calls, 2);
}

struct fault {
  const char *what;
  std::function<void(image &)> damage;
  const char *says; // what the message must hold: place and remedy
};

const fault faults[] = {
    {"magic", [](image &i) { i[1] = 'e'; }, "byte 0: no ELF magic"},
    {"64 bit", [](image &i) { i[4] = 2; }, "byte 4: class is 0x2; allowed: 1"},
    {"big endian", [](image &i) { i[5] = 2; }, "byte 5: byte order is 0x2; allowed: 1"},
    {"ident version", [](image &i) { i[6] = 0; }, "byte 6: "},
    {"relocatable", [](image &i) { i[16] = 1; }, "byte 16: type is 0x1; allowed: 2"},
    {"shared object", [](image &i) { i[16] = 3; }, "byte 16: type is 0x3; allowed: 2"},
    {"x86", [](image &i) { i[18] = 62; }, "byte 18: machine is 0x3e; allowed: 0xf3"},
    {"version", [](image &i) { i[20] = 2; }, "byte 20: version is 0x2"},
    {"compressed code", [](image &i) { i[36] = 1; }, "byte 36: flags are 0x1"},
    {"double-float ABI", [](image &i) { i[36] = 4; }, "byte 36: flags are 0x4"},
    {"rv32e", [](image &i) { i[36] = 8; }, "byte 36: flags are 0x8"},
    {"entry odd", [](image &i) { i[24] = 2; }, "byte 24: entry point is 0x80000002; it must be a"},
    {"entry outside", [](image &i) { set32(i, 24, base + 8); },
     "byte 24: entry point is 0x80000008; it must lie inside"},
    {"header size", [](image &i) { i[42] = 33; }, "byte 42: program header size is 0x21"},
    {"no headers", [](image &i) { i[44] = 0; }, "byte 44: number of program headers is 0x0"},
    {"many headers", [](image &i) { i[45] = 0xff; }, "byte 44: number of program headers"},
    {"headers outside", [](image &i) { set32(i, 28, 0xfffffff0); }, "byte 28: program headers at"},
    {"offset outside", [](image &i) { set32(i, 52 + 4, 0xfffffff8); }, "byte 56: segment data at"},
    {"file size above memory size", [](image &i) { set32(i, 52 + 16, 9); },
     "byte 68: size in file is 0x9"},
    {"beyond the file", [](image &i) { set32(i, 52 + 16, 0x1000), set32(i, 52 + 20, 0x1000); },
     "byte 56: segment data at"},
    {"below memory", [](image &i) { set32(i, 52 + 12, 0x1000); },
     "byte 64: segment outside memory, at 0x1000; allowed: dram 0x80000000 .. 0x8000ffff"},
    {"past memory", [](image &i) { set32(i, 52 + 20, 0x10001); }, "segment outside memory"},
    {"wraps around", [](image &i) { set32(i, 52 + 20, 0xffffffff); },
     "byte 72: size in memory is 0xffffffff"},
    {"overlap", [](image &i) { set32(i, 84 + 12, base + 7); },
     "byte 96: segment overlaps another, at 0x80000007"},
    {"alignment", [](image &i) { set32(i, 52 + 28, 3); }, "byte 80: alignment is 0x3"},
    {"not congruent", [](image &i) { set32(i, 52 + 28, 0x1000); }, "byte 80: alignment is 0x1000"},
    {"dynamic", [](image &i) { set32(i, 84, 2); }, "byte 84: program header of type 0x2"},
    {"interpreter", [](image &i) { set32(i, 84, 3); }, "byte 84: program header of type 0x3"},
    {"nothing to load", [](image &i) { set32(i, 52, 4), set32(i, 84, 4); }, "byte 24: entry point"},
};

TEST(elf, faults_are_named_in_one_line) {
  for (const fault &f : faults) {
    image data = good();
    f.damage(data);
    tpu_elf elf;
    std::string why;
    EXPECT_FALSE(parse(data, &elf, &why)) << f.what;
    EXPECT_EQ(why.find("x.elf: "), 0u) << why;
    EXPECT_NE(why.find(f.says), std::string::npos) << f.what << ": " << why;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
  }
}

// The two segments end the file, so that every cut takes something away.
TEST(elf, cut_off_anywhere_is_an_error) {
  const image whole = good();
  for (std::size_t length = 0; length < whole.size(); length++) {
    const image cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    tpu_elf elf;
    std::string why;
    EXPECT_FALSE(parse(cut, &elf, &why)) << length;
    EXPECT_FALSE(why.empty()) << length;
  }
}

// Any byte changed: refused, or loadable within memory.
TEST(elf, any_damaged_byte_is_harmless) {
  const image whole = good();
  for (std::size_t at = 0; at < whole.size(); at++) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      image data = whole;
      data[at] = static_cast<std::uint8_t>(value);
      tpu_elf elf;
      std::string why;
      if (!parse(data, &elf, &why))
        continue;
      bytes_at got;
      ASSERT_EQ(tpu_elf_load(&elf, put, &got), 1);
      for (const auto &b : got)
        ASSERT_TRUE(b.first >= base && b.first < base + 0x10000) << at;
    }
  }
}

TEST(elf, sniffs_the_magic) {
  const image data = good();
  EXPECT_EQ(tpu_elf_is_elf(data.data(), data.size()), 1);
  EXPECT_EQ(tpu_elf_is_elf(data.data(), 3), 0);
  const std::uint8_t json[] = {'[', '[', '1', ']'};
  EXPECT_EQ(tpu_elf_is_elf(json, sizeof json), 0);
}

struct appended {
  std::uint8_t *data = nullptr;
  std::size_t bytes = 0;
  tpu_error e = {};
  bool ok;
  appended(const image &in, std::uint32_t address, const image &payload) {
    ok = tpu_elf_append_segment("x.elf", in.data(), in.size(), address, payload.data(),
                                static_cast<std::uint32_t>(payload.size()), &data, &bytes, &e) != 0;
  }
  ~appended() { std::free(data); }
  appended(const appended &) = delete;
  appended &operator=(const appended &) = delete;
  image copy() const { return image(data, data + bytes); }
};

TEST(elf_append, adds_what_is_loaded) {
  const image payload = {0xaa, 0xbb, 0xcc};
  for (const std::uint32_t address : {base + 0x40, base + 0x1235, base + 0x200}) {
    const appended a(good(), address, payload);
    ASSERT_TRUE(a.ok) << a.e.text;
    const image data = a.copy();
    tpu_elf elf;
    std::string why;
    ASSERT_TRUE(parse(data, &elf, &why)) << why;
    ASSERT_EQ(elf.segments, 3u);
    EXPECT_EQ(elf.entry, base + 4);
    bytes_at got;
    ASSERT_EQ(tpu_elf_load(&elf, put, &got), 1);
    EXPECT_EQ(got.size(), 8u + 0x20 + 3);
    EXPECT_EQ(got[base], 1);
    EXPECT_EQ(got[base + 0x101], 10);
    EXPECT_EQ(got[address + 2], 0xcc);
    for (std::uint32_t i = 1; i < elf.segments; i++) // sorted, as the format asks
      EXPECT_LT(elf.segment[i - 1].address, elf.segment[i].address);
  }
}

TEST(elf_append, can_be_repeated) {
  const appended once(good(), base + 0x2000, {1});
  ASSERT_TRUE(once.ok);
  const appended twice(once.copy(), base + 0x3000, {2});
  ASSERT_TRUE(twice.ok) << twice.e.text;
  tpu_elf elf;
  std::string why;
  ASSERT_TRUE(parse(twice.copy(), &elf, &why)) << why;
  EXPECT_EQ(elf.segments, 4u);
}

TEST(elf_append, refuses) {
  EXPECT_FALSE(appended(good(), base + 7, {1}).ok);
  EXPECT_FALSE(appended(good(), base + 0x11f, {1}).ok); // the zeros of a segment count
  EXPECT_TRUE(appended(good(), base + 0x120, {1}).ok);
  EXPECT_FALSE(appended(good(), base + 0x1000, {}).ok);
  EXPECT_FALSE(appended(good(), 0xffffffff, {1, 2}).ok);
  image bad = good();
  bad[4] = 2;
  const appended a(bad, base + 0x1000, {1});
  EXPECT_FALSE(a.ok);
  EXPECT_NE(std::string(a.e.text).find("byte 4"), std::string::npos) << a.e.text;
  image mapped = good();
  set32(mapped, 84, 6); // PT_PHDR
  EXPECT_FALSE(appended(mapped, base + 0x1000, {1}).ok);
  image full = write_elf(base, std::vector<elf_part>(1, {base, {1, 2, 3, 4}}));
  for (std::uint32_t i = 1; i < TPU_ELF_MAX_SEGMENTS; i++)
    full = appended(full, base + 0x100 * i, {1}).copy();
  const appended one_more(full, base + 0x8000, {1});
  EXPECT_FALSE(one_more.ok);
  EXPECT_NE(std::string(one_more.e.text).find("32 program headers"), std::string::npos);
}

#ifdef TPU_READELF
TEST(elf_append, satisfies_readelf) {
  const appended a(good(), base + 0x1234, {1, 2, 3});
  ASSERT_TRUE(a.ok);
  const std::string path = TPU_BUILD_DIR "/tests/appended.elf";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(a.data), static_cast<std::streamsize>(a.bytes));
  // NOLINTNEXTLINE(cert-env33-c): a fixed command on a file of our own
  FILE *pipe = popen((TPU_READELF " --all --wide '" + path + "' 2>&1").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string out;
  char buffer[4096];
  std::size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, pipe)) > 0)
    out.append(buffer, got);
  EXPECT_EQ(pclose(pipe), 0) << out;
  std::remove(path.c_str());
  EXPECT_EQ(out.find("Warning"), std::string::npos) << out;
  EXPECT_EQ(out.find("Error"), std::string::npos) << out;
  EXPECT_NE(out.find("0x80001234 0x80001234 0x00003 0x00003 R   0x1000"), std::string::npos) << out;
}
#endif

} // namespace
