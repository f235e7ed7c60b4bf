#include <gmock/gmock.h>

#include "io/table_test_support.hpp"

namespace nw::io::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kRows = R"([{"age": 3, "name": "Ada", "member": true, "height": 1.5},
 {"age": 4, "name": null, "member": false, "height": 2}, {"name": "Bo", "age": 5, "extra": -1}])";

TEST(JsonTable, AnArrayOfObjectsBecomesColumnsOfTheirKinds) {
  const RawTable table = table_of(kRows, "people.json");
  expect_consistent(table);
  ASSERT_EQ(table.rows, 3u);
  EXPECT_TRUE(table.has_names);
  EXPECT_EQ(column(table, "age").kind, CellKind::integer);
  EXPECT_THAT(column(table, "age").numbers, ElementsAre(3, 4, 5));
  EXPECT_EQ(column(table, "member").kind, CellKind::boolean);
  EXPECT_EQ(column(table, "member").missing, 1u);
  EXPECT_EQ(column(table, "height").kind, CellKind::number);
  EXPECT_THAT(texts(column(table, "name")), ElementsAre("Ada", "<missing>", "Bo"));
  EXPECT_EQ(column(table, "extra").missing, 2u);
}

TEST(JsonTable, LinesGiveTheSameTableAsTheArray) {
  std::string lines;
  for (const char c : kRows.substr(1, kRows.size() - 2)) lines += c;
  for (const char* const between : {"},\n {", "}, {"}) {
    if (const auto at = lines.find(between); at != std::string::npos) {
      lines.replace(at, std::string_view(between).size(), "}\n\n{");
    }
  }
  for (const char* const name : {"people.jsonl", "people.ndjson", "people.txt", "people"}) {
    const RawTable table = table_of(lines, name);
    ASSERT_EQ(table.columns.size(), 5u);
    EXPECT_THAT(column(table, "age").numbers, ElementsAre(3, 4, 5));
  }
}

TEST(JsonTable, IsRecognisedByContentUnderAnyName) {
  EXPECT_EQ(table_of(kRows, "people").columns.size(), 5u);
  EXPECT_EQ(table_of("\xef\xbb\xbf" + std::string(kRows), "people.txt").columns.size(), 5u);
}

TEST(JsonTable, RowsMayBeArraysWithoutNames) {
  const RawTable table = table_of("[[1, \"a\"], [2, \"b\"], [3]]", "rows.json");
  expect_consistent(table);
  EXPECT_FALSE(table.has_names);
  EXPECT_THAT(table.columns[0].numbers, ElementsAre(1, 2, 3));
  EXPECT_THAT(texts(table.columns[1]), ElementsAre("a", "b", "<missing>"));
}

TEST(JsonTable, NumbersThatShareAColumnWithTextBecomeText) {
  const RawTable table =
      table_of("{\"x\": 1}\n{\"x\": null}\n{\"x\": \"?\"}\n{\"x\": 2.5}", "a.json");
  EXPECT_THAT(texts(table.columns[0]), ElementsAre("1", "<missing>", "?", "2.5"));
}

TEST(JsonTable, IntegersBeyond53BitsAreMarkedInexact) {
  const RawTable table = table_of("[{\"id\": 12345678901234567890, \"n\": 7}]", "ids.json");
  EXPECT_TRUE(column(table, "id").inexact);
  EXPECT_FALSE(column(table, "n").inexact);
}

TEST(JsonTable, NestedColumnsAreLeftOutAndNamed) {
  const RawTable table = table_of(
      R"([{"a": 1, "tags": ["x", {"y": [1]}], "b": 2}, {"a": 2, "tags": null, "b": 3}])", "n.json");
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_THAT(column(table, "b").numbers, ElementsAre(2, 3));
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("tags")));
}

TEST(JsonTable, RefusesWithPlaceAndRemedy) {
  const auto error = [](std::string_view text) { return table_error(text, "bad.json"); };
  EXPECT_THAT(error("{\"a\": 1}\n{\"a\": }"), HasSubstr("bad.json: line 2"));
  EXPECT_THAT(error("[{\"a\": 1}, {\"a\": 2"), HasSubstr("ends too early"));
  EXPECT_THAT(error("[{\"a\": NaN}]"), HasSubstr("no NaN"));
  EXPECT_THAT(error("[{\"a\": 1, \"a\": 2}]"), HasSubstr("\"a\" twice"));
  EXPECT_THAT(error("[]"), HasSubstr("no rows"));
  EXPECT_THAT(error("17"), HasSubstr("single value"));
  EXPECT_THAT(error("[{\"a\": 1}] x"), HasSubstr("text after the array"));
  EXPECT_THAT(error(R"({"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}})"), HasSubstr("orient"));
  EXPECT_THAT(error("[{\"a\": 1}, [2]]"), HasSubstr("row 2 is an array"));
  EXPECT_THAT(error(std::string(100, '[')), HasSubstr("nested deeper"));
}

TEST(JsonTable, AWideTableFromFewBytesIsRefusedBeforeItTakesMemory) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += concat("{\"", i, "\":1}\n");
  EXPECT_THAT(table_error(text, "wide.jsonl", {.max_unpacked_bytes = std::uint64_t{1} << 26}),
              HasSubstr("takes more than 67108864 bytes"));
}

TEST(JsonTable, PointsComeFromItsNumericColumns) {
  const PointSet points = parse(kRows, {.columns = {"age"}}, "people.json");
  EXPECT_EQ(points.size(), 3u);
  EXPECT_THAT(points.column_names, ElementsAre("age"));
  EXPECT_THAT(parse_error(kRows, {}, "people.json"), HasSubstr("\"name\" holds text, \"Ada\""));
  EXPECT_THAT(parse_error(kRows, {.columns = {"height"}}, "people.json"),
              HasSubstr("row 3: the value is missing"));
}

}  // namespace
}  // namespace nw::io::test
