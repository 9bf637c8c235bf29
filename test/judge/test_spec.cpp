// SPDX-License-Identifier: Apache-2.0
#include "judge/spec.h"

#include "test/judge/spec_texts.h"
#include "test/judge/testing.h"

#include <string>

namespace {

class read_spec {
public:
  explicit read_spec(const std::string &path) {
    ok_ = tpu_spec_read(path.c_str(), &spec_, &report_);
  }
  read_spec(const read_spec &) = delete;
  read_spec &operator=(const read_spec &) = delete;
  ~read_spec() { tpu_spec_release(&spec_); }
  bool ok() const { return ok_ != 0; }
  const tpu_report &report() const { return report_; }
  const tpu_spec &operator*() const { return spec_; }
  const tpu_spec *operator->() const { return &spec_; }

private:
  tpu_spec spec_ = {};
  tpu_report report_ = {};
  int ok_;
};

TEST(spec, reads_every_member) {
  const scratch_folder folder;
  const read_spec spec(folder.write("01_case_x.json", valid_spec()));
  ASSERT_TRUE(spec.ok()) << spec.report().text;
  const tpu_workload &w = spec->workload;
  EXPECT_STREQ(w.name, "case_x");
  EXPECT_STREQ(spec->stresses, "every member that a spec can have");
  EXPECT_STREQ(spec->einsum, "mk,kn->mn");
  EXPECT_EQ(w.indices, 3U);
  EXPECT_EQ(tpu_index_size(&w, 'm'), 16U);
  EXPECT_EQ(tpu_index_size(&w, 'k'), 8U);
  EXPECT_EQ(tpu_index_size(&w, 'n'), 12U);
  ASSERT_EQ(w.inputs, 2U);
  EXPECT_STREQ(w.input[0].subscript, "mk");
  EXPECT_STREQ(spec->input_name[0], "X");
  EXPECT_EQ(w.input[0].buffer, static_cast<uint32_t>(TPU_BUFFER_A));
  EXPECT_STREQ(w.input[1].subscript, "kn");
  EXPECT_STREQ(spec->input_name[1], "W");
  EXPECT_EQ(w.input[1].buffer, static_cast<uint32_t>(TPU_BUFFER_B));
  EXPECT_EQ(w.input[1].row, 4U);
  EXPECT_EQ(w.input[1].col, 8U);
  ASSERT_EQ(w.constants, 2U);
  EXPECT_STREQ(spec->constant_name[0], "I");
  EXPECT_EQ(w.constant[0].kind, static_cast<uint32_t>(TPU_CONST_IDENTITY));
  EXPECT_EQ(w.constant[0].rows, 0U);
  EXPECT_EQ(w.constant[0].cols, 0U);
  EXPECT_EQ(w.constant[0].row, 32U);
  EXPECT_EQ(spec->constant_data[0], nullptr);
  EXPECT_STREQ(spec->constant_name[1], "D");
  EXPECT_EQ(w.constant[1].kind, static_cast<uint32_t>(TPU_CONST_DATA));
  EXPECT_EQ(w.constant[1].rows, 2U);
  EXPECT_EQ(w.constant[1].cols, 3U);
  const int8_t data[] = {1, -2, 3, -128, 127, 0};
  for (size_t i = 0; i < 6; i++)
    EXPECT_EQ(spec->constant_data[1][i], data[i]) << i;
  EXPECT_STREQ(spec->output_name, "Y");
  EXPECT_STREQ(w.output.subscript, "mn");
  EXPECT_EQ(w.output.buffer, static_cast<uint32_t>(TPU_BUFFER_C));
  EXPECT_EQ(w.output.row, 2U);
  EXPECT_EQ(w.output.col, 4U);
  EXPECT_EQ(w.write_window, static_cast<uint32_t>(TPU_WINDOW_COLUMN_BLOCK));
  EXPECT_EQ(w.relu, 1U);
  EXPECT_EQ(w.pad_zero, 1U);
  EXPECT_EQ(w.known_gap, 0U);
  EXPECT_EQ(spec->known_gap, nullptr);
}

// A reduction of X over its second index, with the members that a spec must have and no others.
std::string least_spec(const std::string &row, const std::string &reduced) {
  const std::string both = row + reduced;
  return R"({"name": "case_y", "stresses": "nothing but what is required", "einsum": ")" + both +
         "->" + row + R"(", "dims": {")" + reduced + R"(": 3, ")" + row + R"(": 2},
    "inputs": [{"name": "X", "subscript": ")" +
         both + R"(", "dtype": "int8", "buffer": "B", "origin": [0, 0]}],
    "output": {"name": "Y", "subscript": ")" +
         row + R"(", "dtype": "int8", "buffer": "C", "origin": [0, 0]},
    "accumulator": "int32", "epilogue": ["saturate"], "operand_pad": "arbitrary"})";
}

TEST(spec, optional_members_may_be_left_out) {
  const scratch_folder folder;
  const read_spec spec(folder.write("case_y.json", least_spec("m", "k")));
  ASSERT_TRUE(spec.ok()) << spec.report().text;
  EXPECT_EQ(spec->workload.write_window, static_cast<uint32_t>(TPU_WINDOW_EXACT));
  EXPECT_EQ(spec->workload.constants, 0U);
  EXPECT_EQ(spec->workload.relu, 0U);
  EXPECT_EQ(spec->workload.pad_zero, 0U);
  EXPECT_EQ(spec->workload.known_gap, 0U);
}

TEST(spec, an_index_is_any_letter_from_a_to_z) {
  const scratch_folder folder;
  const read_spec spec(folder.write("case_y.json", least_spec("a", "z")));
  ASSERT_TRUE(spec.ok()) << spec.report().text;
  EXPECT_STREQ(spec->workload.input[0].subscript, "az");
  EXPECT_EQ(tpu_index_size(&spec->workload, 'a'), 2U);
  EXPECT_EQ(tpu_index_size(&spec->workload, 'z'), 3U);
}

TEST(spec, a_sentence_may_have_1000_characters) {
  const scratch_folder folder;
  for (const size_t length : {1000U, 1001U}) {
    const std::string sentence(length, 's');
    const read_spec spec(folder.write(
        "case_x.json", spec_with("every member that a spec can have", sentence.c_str())));
    EXPECT_EQ(spec.ok(), length == 1000) << spec.report().text;
    if (spec.ok()) {
      EXPECT_STREQ(spec->stresses, sentence.c_str());
    }
  }
}

TEST(spec, a_known_gap_is_kept) {
  const scratch_folder folder;
  const read_spec spec(
      folder.write("case_x.json",
                   spec_with("\"known_gap\": null", "\"known_gap\": \"no opcode zeroes a row\"")));
  ASSERT_TRUE(spec.ok()) << spec.report().text;
  EXPECT_EQ(spec->workload.known_gap, 1U);
  EXPECT_STREQ(spec->known_gap, "no opcode zeroes a row");
}

struct refusal {
  const char *from, *to, *place, *part;
};

void expect_refused(const refusal &c, const std::string &text) {
  SCOPED_TRACE(std::string(c.from) + "  ->  " + c.to);
  const scratch_folder folder;
  const std::string file = folder.write("01_case_x.json", text);
  const read_spec spec(file);
  EXPECT_FALSE(spec.ok());
  expect_report(spec.report(), file, c.place, c.part);
}

// One member changed, one refusal.
const refusal refusals[] = {
    // name and stresses
    {"\"case_x\"", "\"case_y\"", "$.name", "must be the file's name without number"},
    {"\"case_x\"", "\"01_case_x\"", "$.name", "must be the file's name without number"},
    {"\"case_x\"", "\"Case_x\"", "$.name", "letters a to z, digits and '_'"},
    {"\"case_x\"", "\"\"", "$.name", "1 to 47 characters"},
    {"\"case_x\"", "7", "$.name", "is 7; must be a string"},
    {"\"name\": \"case_x\",", "", "$: ", "\"name\" is missing"},
    {"\"stresses\": \"every member that a spec can have\",", "", "$: ", "\"stresses\" is missing"},
    {"\"every member that a spec can have\"", "\"fifteen letters\"", "$.stresses",
     "is a string of 15 characters; must be a string of 16"},
    {"\"every member that a spec can have\"", "\"                \"", "$.stresses", "blank"},
    {"\"every member that a spec can have\"", "\"two lines are\\none too many\"", "$.stresses",
     "must be one line"},
    {"\"every member that a spec can have\"", "null", "$.stresses", "is null; must be a string"},
    // einsum
    {"mk,kn->mn", "mk,kn->nm", "$.einsum", "the subscripts say \"mk,kn->mn\""},
    {"mk,kn->mn", "mk->mn", "$.einsum", "the subscripts say \"mk,kn->mn\""},
    {"mk,kn->mn", "kn,mk->mn", "$.einsum", "the two must agree"},
    {"mk,kn->mn", "mk,kn", "$.einsum", "the two must agree"},
    {"mk,kn->mn", "mk, kn -> mn", "$.einsum", "must be subscripts as in mk,kn->mn"},
    {"mk,kn->mn", "MK,KN->MN", "$.einsum", "must be subscripts"},
    {"mk,kn->mn", "", "$.einsum", "characters"},
    {"mk,kn->mn", "abcdefghijklmnopqrstuvwxyz,mn->", "$.einsum", "the two must agree"},
    {"mk,kn->mn", "abcdefghijklmnopqrstuvwxyz,mn->m", "$.einsum", "1 to 31 characters"},
    {"\"mk,kn->mn\"", "[]", "$.einsum", "is a list; must be a string"},
    {"\"einsum\"", "\"Einsum\"", "$.Einsum", "did you mean einsum?"},
    // dims
    {"\"m\": 16", "\"m\": 0", "$.dims.m", "is 0; must be an integer from 1 to 65535"},
    {"\"m\": 16", "\"m\": 65536", "$.dims.m", "from 1 to 65535"},
    {"\"m\": 16", "\"m\": 4.5", "$.dims.m", "is 4.5; must be an integer"},
    {"\"m\": 16", "\"m\": 1e999", "byte ", "not finite"},
    {"\"m\": 16", "\"m\": 016", "byte ", "leading zeros"},
    {"\"m\": 16", "\"m\": 1.6e1", "$.dims.m", "is 1.6e1; must be an integer"},
    {"\"m\": 16", "\"m\": \"16\"", "$.dims.m", "is the string \"16\"; must be an integer"},
    {"\"m\": 16", "\"m\": -16", "$.dims.m", "is -16; must be an integer"},
    {"\"m\": 16", "\"m\": 16, \"m\": 16", "$.dims.m", "twice"},
    {"\"m\": 16", "\"M\": 16", "$.dims.M", "a dim is one letter a to z"},
    {"\"m\": 16", "\"mm\": 16", "$.dims.mm", "a dim is one letter a to z"},
    {"\"m\": 16", "\"m\": 16, \"z\": 2", "$.dims.z", "no subscript uses this index"},
    {"\"m\": 16,", "", "$.inputs[0].subscript", "the index m has no size"},
    {"\"m\": 16", "\"m\": 16, \"a\": 1, \"b\": 1, \"c\": 1, \"d\": 1", "$.dims.n",
     "at most 6 are allowed"},
    {"\"m\": 16,\n    \"k\": 8,\n    \"n\": 12", "", "$.dims", "is empty"},
    {"\"m\": 16,\n    \"k\": 8,", "\"m\": 60000, \"k\": 300,", "$.inputs[0].subscript",
     "has 18000000 elements; at most 16777216"},
    // inputs
    {"\"inputs\"", "\"Inputs\"", "$.Inputs", "did you mean inputs?"},
    {"{\"name\": \"X\"", "{\"nome\": \"X\"", "$.inputs[0].nome", "did you mean name?"},
    {"\"name\": \"X\"", "\"name\": \"W\"", "$.inputs[1].name", "names must differ"},
    {"\"name\": \"X\"", "\"name\": \"1X\"", "$.inputs[0].name", "must be a word"},
    {"\"name\": \"X\"", "\"name\": \"X Y\"", "$.inputs[0].name", "must be a word"},
    {"\"name\": \"X\", ", "", "$.inputs[0]: ", "\"name\" is missing"},
    {"\"subscript\": \"mk\"", "\"subscript\": \"mm\"", "$.inputs[0].subscript",
     "repeats the index m"},
    {"\"subscript\": \"mk\"", "\"subscript\": \"abcde\"", "$.inputs[0].subscript",
     "is a string of 5 characters; must be a string of 1 to 4"},
    {"\"subscript\": \"mk\"", "\"subscript\": \"\"", "$.inputs[0].subscript", "1 to 4 characters"},
    {"\"subscript\": \"mk\"", "\"subscript\": \"Mk\"", "$.inputs[0].subscript", "letters a to z"},
    {"\"subscript\": \"mk\"", "\"subscript\": \"km\"", "$.einsum", "the two must agree"},
    {"\"subscript\": \"mk\", ", "", "$.inputs[0]: ", "\"subscript\" is missing"},
    {"\"int8\", \"buffer\": \"B\"", "\"int16\", \"buffer\": \"B\"", "$.inputs[1].dtype",
     "must be \"int8\""},
    {"\"mk\", \"dtype\": \"int8\", ", "\"mk\", ", "$.inputs[0]: ", "\"dtype\" is missing"},
    {"\"int8\", \"buffer\": \"B\"", "\"int8\", \"buffer\": \"C\"", "$.inputs[1].buffer",
     "is the string \"C\"; must be \"A\" or \"B\""},
    {"\"int8\", \"buffer\": \"B\"", "\"int8\", \"buffer\": 1", "$.inputs[1].buffer",
     "is 1; must be"},
    {"\"int8\", \"buffer\": \"B\"", "\"int8\"", "$.inputs[1]: ", "\"buffer\" is missing"},
    {"[4, 8]", "[4, -8]", "$.inputs[1].origin[1]", "is -8; must be an integer from 0"},
    {"[4, 8]", "[-4, 8]", "$.inputs[1].origin[0]", "is -4; must be an integer from 0"},
    {"[4, 8]", "[4, 2]", "$.inputs[1].origin[1]", "off a column block"},
    {"[4, 8]", "[4, 67]", "$.inputs[1].origin[1]", "no T from 4 to 64 divides it"},
    {"[4, 8]", "[4]", "$.inputs[1].origin", "is a list of 1; must be a list of 2"},
    {"[4, 8]", "[4, 8, 0]", "$.inputs[1].origin", "must be a list of 2"},
    {"[4, 8]", "[4.0, 8]", "$.inputs[1].origin[0]", "is 4.0; must be an integer"},
    {"[4, 8]", "8", "$.inputs[1].origin", "is 8; must be a list of 2"},
    {", \"origin\": [4, 8]", "", "$.inputs[1]: ", "\"origin\" is missing"},
    {"\"int8\", \"buffer\": \"B\", \"origin\": [4, 8]",
     "\"int8\", \"buffer\": \"A\", \"origin\": [0, 0]",
     "$.inputs[1]: ", "W at [0, 0] of A overlaps X, 16 x 8 at [0, 0]"},
    {"\"int8\", \"buffer\": \"B\", \"origin\": [4, 8]",
     "\"int8\", \"buffer\": \"A\", \"origin\": [15, 4]", "$.inputs[1]: ", "overlaps X"},
    {"[4, 8]}", "[4, 8], \"write_window\": \"exact\"}", "$.inputs[1].write_window", "unknown key"},
    // constants
    {"\"identity\"", "\"Identity\"", "$.constants[0].kind",
     "must be \"identity\", \"ones_column\" or \"data\""},
    {"\"kind\": \"identity\", ", "", "$.constants[0]: ", "\"kind\" is missing"},
    {"\"rows\": \"T\"", "\"rows\": \"t\"", "$.constants[0].rows",
     "is the string \"t\"; must be \"T\""},
    {"\"rows\": \"T\"", "\"rows\": 0", "$.constants[0].rows", "is 0; must be an integer from 1"},
    {"\"rows\": \"T\"", "\"rows\": null", "$.constants[0].rows", "is null; must be an integer"},
    {"\"rows\": \"T\"", "\"rows\": 4", "$.constants[0]: ", "an identity is square"},
    {"\"name\": \"I\"", "\"name\": \"Y\"", "$.output.name", "names must differ"},
    {"\"buffer\": \"B\", \"origin\": [32, 0]}", "\"buffer\": \"C\", \"origin\": [32, 0]}",
     "$.constants[0].buffer", "must be \"A\" or \"B\""},
    {"\"buffer\": \"B\", \"origin\": [32, 0]}", "\"buffer\": \"B\", \"origin\": [8, 8]}",
     "$.constants[0]: ", "I at [8, 8] of B overlaps W"},
    {"\"buffer\": \"B\", \"origin\": [32, 0]}", "\"buffer\": \"B\", \"origin\": [32, 3]}",
     "$.constants[0].origin[1]", "off a column block"},
    {"\"buffer\": \"B\", \"origin\": [32, 0]}",
     "\"buffer\": \"B\", \"origin\": [32, 0], \"data\": [[1]]}", "$.constants[0].data",
     "allowed only with kind \"data\""},
    {"\"rows\": 2", "\"rows\": 3", "$.constants[1].data", "is a list of 2; must be a list of 3"},
    {"\"rows\": 2", "\"rows\": \"T\"", "$.constants[1]: ", "needs rows and cols as numbers"},
    {"[-128, 127, 0]", "[-128, 127]", "$.constants[1].data[1]",
     "is a list of 2; must be a list of 3"},
    {"[-128, 127, 0]", "[-128, 127, 0, 0]", "$.constants[1].data[1]", "must be a list of 3"},
    {"[-128, 127, 0]", "-128", "$.constants[1].data[1]", "is -128; must be a list of 3"},
    {"[-128, 127, 0]", "[-129, 127, 0]", "$.constants[1].data[1][0]",
     "is -129; must be an integer from -128 to 127"},
    {"[-128, 127, 0]", "[-128, 128, 0]", "$.constants[1].data[1][1]", "is 128; must be an integer"},
    {"[-128, 127, 0]", "[-128, 127, 0.5]", "$.constants[1].data[1][2]", "is 0.5"},
    {", \"data\": [[1, -2, 3], [-128, 127, 0]]", "", "$.constants[1]: ", "\"data\" is missing"},
    {"\"A\", \"dtype\": \"int8\"", "\"A\", \"dtype\": \"uint8\"", "$.constants[1].dtype",
     "must be \"int8\""},
    {"\"constants\": [", "\"constants\": [1, ", "$.constants[0]", "is 1; must be an object"},
    {"\"constants\": [", "\"constants\": [1, 2, 3, ",
     "$.constants: ", "is a list of 5; must be a list of 0 to 4"},
    // output
    {"\"subscript\": \"mn\"", "\"subscript\": \"mz\"", "$.einsum", "the two must agree"},
    {"\"buffer\": \"C\"", "\"buffer\": \"A\"", "$.output.buffer", "must be \"C\""},
    {"[2, 4]", "[2, 1]", "$.output.origin[1]", "off a column block"},
    {"\"column_block\"", "\"block\"", "$.output.write_window",
     "must be \"exact\" or \"column_block\""},
    {"\"write_window\"", "\"window\"", "$.output.window", "unknown key"},
    // the rest
    {"\"int32\"", "\"int64\"", "$.accumulator", "must be \"int32\""},
    {"\"accumulator\": \"int32\",", "", "$: ", "\"accumulator\" is missing"},
    {"[\"relu\", \"saturate\"]", "[]", "$.epilogue", "is a list of 0; must be a list of 1 to 2"},
    {"[\"relu\", \"saturate\"]", "[\"relu\"]", "$.epilogue", "must be [\"saturate\"]"},
    {"[\"relu\", \"saturate\"]", "[\"saturate\", \"relu\"]", "$.epilogue",
     "must be [\"saturate\"]"},
    {"[\"relu\", \"saturate\"]", "[\"saturate\", \"saturate\"]", "$.epilogue",
     "the machine narrows last, and once"},
    {"[\"relu\", \"saturate\"]", "[\"relu\", \"gelu\"]", "$.epilogue[1]",
     "must be \"relu\" or \"saturate\""},
    {"[\"relu\", \"saturate\"]", "\"saturate\"", "$.epilogue", "must be a list of 1 to 2"},
    {"\"operand_pad\": \"zero\"", "\"operand_pad\": \"any\"", "$.operand_pad",
     "must be \"arbitrary\" or \"zero\""},
    {"\"known_gap\": null", "\"known_gap\": false", "$.known_gap", "must be null or a sentence"},
    {"\"known_gap\": null", "\"known_gap\": \"\"", "$.known_gap", "1 to 1000 characters"},
    {"\"known_gap\": null", "\"known_gap\": null, \"tiling\": 4", "$.tiling",
     "unknown key; allowed:"},
    {"\"known_gap\": null\n}", "\"known_gap\": null", "byte ", "the text ends"},
    {"\"known_gap\": null\n}", "\"known_gap\": null\n} {}", "byte ", "the end of the document"},
};

TEST(spec, refuses_each_with_its_path) {
  for (const refusal &c : refusals)
    expect_refused(c, spec_with(c.from, c.to));
}

// Refusals that need two members changed.
TEST(spec, refuses_an_output_index_that_no_input_has) {
  std::string text = spec_with("mk,kn->mn", "mk,kn->mz");
  text.replace(text.find("\"subscript\": \"mn\""), 17, "\"subscript\": \"mz\"");
  text.replace(text.find("\"m\": 16"), 7, "\"m\": 16, \"z\": 4");
  expect_refused({"", "", "$.output.subscript", "the output's index z is in no input"}, text);
}

TEST(spec, refuses_a_third_input) {
  std::string text = spec_with("mk,kn->mn", "mk,kn,m->mn");
  text.replace(text.find("\"inputs\": ["), 11,
               "\"inputs\": [{\"name\": \"Z\", \"subscript\": \"m\", \"dtype\": \"int8\", "
               "\"buffer\": \"A\", \"origin\": [60, 0]},");
  expect_refused({"", "", "$.inputs", "is a list of 3; must be a list of 1 to 2"}, text);
}

// An origin is on a column block or not only at a T.
TEST(spec, origins_are_checked_at_a_configuration) {
  const struct {
    const char *from, *to, *place;
  } cases[] = {
      {"[4, 8]", "[4, 20]", "$.inputs[1].origin[1]"},
      {"\"B\", \"origin\": [32, 0]", "\"B\", \"origin\": [32, 20]", "$.constants[0].origin[1]"},
      {"[2, 4]", "[2, 20]", "$.output.origin[1]"}};
  const scratch_folder folder;
  for (const auto &c : cases) {
    SCOPED_TRACE(c.place);
    std::string text = spec_with(c.from, c.to);
    if (c.to != std::string("[2, 20]"))
      text.replace(text.find("[2, 4]"), 6, "[2, 0]");
    const std::string file = folder.write("case_x.json", text);
    const read_spec spec(file);
    ASSERT_TRUE(spec.ok()) << spec.report().text;
    tpu_params p = tpu_params_default();
    tpu_report r = {};
    EXPECT_TRUE(tpu_spec_check_at(&*spec, &p, &r)) << r.text;
    p.t = 8;
    EXPECT_FALSE(tpu_spec_check_at(&*spec, &p, &r));
    expect_report(r, file, c.place, "is 20, off a column block; must be a multiple of T=8");
  }
}

TEST(spec, standing_tells_refused_from_skipped) {
  const scratch_folder folder;
  const read_spec spec(folder.write("case_x.json", valid_spec()));
  ASSERT_TRUE(spec.ok()) << spec.report().text;
  tpu_params p = tpu_params_default();
  tpu_error e = {};
  ASSERT_TRUE(tpu_params_resolve(&p, &e)) << e.text;
  tpu_standing_store store = {};
  tpu_standing standing = {};
  tpu_report r = {};
  EXPECT_TRUE(tpu_spec_standing(&*spec, &p, &store, &standing, &r)) << r.text;
  EXPECT_EQ(standing.unfit, nullptr) << standing.unfit;
  EXPECT_EQ(standing.unsatisfiable, nullptr) << standing.unsatisfiable;
  EXPECT_EQ(standing.known_gap, nullptr);
  tpu_params small = {4, 16, 16, 1, 0, 0, 0, 0};
  ASSERT_TRUE(tpu_params_resolve(&small, &e)) << e.text;
  EXPECT_TRUE(tpu_spec_standing(&*spec, &small, &store, &standing, &r)) << r.text;
  ASSERT_NE(standing.unfit, nullptr);
  EXPECT_NE(std::string(standing.unfit).find("MAXDIM"), std::string::npos) << standing.unfit;
  EXPECT_EQ(standing.unsatisfiable, nullptr);
  tpu_params wide = {16, 64, 16, 1, 0, 0, 0, 0};
  ASSERT_TRUE(tpu_params_resolve(&wide, &e)) << e.text;
  EXPECT_FALSE(tpu_spec_standing(&*spec, &wide, &store, &standing, &r));
}

TEST(spec, file_names_give_names) {
  const struct {
    const char *path, *stem, *name;
  } cases[] = {{"corpus/01_gemm_4x4x4.json", "01_gemm_4x4x4", "gemm_4x4x4"},
               {"gemm_4x4x4.json", "gemm_4x4x4", "gemm_4x4x4"},
               {"/a.b/007_x.json", "007_x", "x"},
               {"4x4.json", "4x4", "4x4"},
               {"_x.json", "_x", "_x"}};
  for (const auto &c : cases) {
    char stem[64];
    char name[64];
    EXPECT_TRUE(tpu_spec_file_name(c.path, stem, name, sizeof name)) << c.path;
    EXPECT_STREQ(stem, c.stem);
    EXPECT_STREQ(name, c.name);
  }
  char name[8];
  for (const char *path : {".json", "a/.json", "x.JSON", "x", "", "json", "toolongname.json"})
    EXPECT_FALSE(tpu_spec_file_name(path, nullptr, name, sizeof name)) << path;
}

} // namespace
