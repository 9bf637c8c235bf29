/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the judge share: temporary files and the form every report must have. */
#ifndef TPU_TEST_JUDGE_TESTING_H
#define TPU_TEST_JUDGE_TESTING_H

#include "judge/report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

/* A folder of its own for a test, removed at the end. */
class scratch_folder {
public:
  scratch_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tpuvp.XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  scratch_folder(const scratch_folder &) = delete;
  scratch_folder &operator=(const scratch_folder &) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string &path() const { return path_; }
  std::string write(const std::string &name, const std::string &text) const {
    std::string file = path_ + "/" + name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

private:
  std::string path_;
};

/* One line that begins with file and place, and says what is to be said. */
inline void expect_report(const tpu_report &r, const std::string &file, const std::string &place,
                          const std::string &part) {
  const std::string text = r.text;
  EXPECT_NE(r.code, TPU_OK);
  EXPECT_EQ(text.find_first_of("\n\r\t"), std::string::npos) << text;
  EXPECT_EQ(text.rfind(file + ": " + place, 0), 0U)
      << "wanted " << file << ": " << place << "\ngot    " << text;
  EXPECT_NE(text.find(part), std::string::npos) << "wanted " << part << "\ngot    " << text;
}

#endif
