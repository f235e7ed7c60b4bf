#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Labels labels_in(std::string_view text, std::string_view name) {
  return parse_labels(std::as_bytes(std::span(text)), name);
}

std::string label_error(std::string_view text, std::string_view name) {
  return test::io_error([&] { static_cast<void>(labels_in(text, name)); });
}

TEST(Labels, TextFilesHoldOneLabelPerLineTakenAsItStands) {
  const Labels labels = labels_in("sea lion, male\r\ncat\nsea lion, male", "l.txt");
  EXPECT_THAT(labels.names, ElementsAre("cat", "sea lion, male"));
  EXPECT_THAT(labels.values, ElementsAre(1, 0, 1));
  EXPECT_THAT(labels_in("3\n-1\n3\n", "l.txt").values, ElementsAre(3, -1, 3));
}

TEST(Labels, TablesGiveTheirOnlyColumnOrTheOneCalledLabel) {
  EXPECT_THAT(labels_in("label\nb\na\n", "l.csv").values, ElementsAre(1, 0));
  EXPECT_THAT(labels_in("b\na\n", "l.csv").values, ElementsAre(1, 0));
  EXPECT_THAT(labels_in("7\n8\n", "l.csv").values, ElementsAre(7, 8));
  EXPECT_THAT(labels_in("id,class\n1,5\n2,6\n", "l.csv").values, ElementsAre(5, 6));
  EXPECT_THAT(labels_in("golden retriever\npug\n", "l.csv").names,
              ElementsAre("golden retriever", "pug"));
  EXPECT_THAT(labels_in("id\ty\n1\ta\n", "l.tsv").names, ElementsAre("a"));
  EXPECT_THAT(label_error("id,kind\n1,5\n", "l.csv"), HasSubstr("has 2 columns and none of them"));
}

TEST(Labels, IdxOfOneDimensionHoldsLabels) {
  EXPECT_THAT(labels_in(std::string_view("\0\0\x08\x01\0\0\0\3\5\0\7", 11), "l-idx1-ubyte").values,
              ElementsAre(5, 0, 7));
  EXPECT_THAT(label_error(std::string_view("\0\0\x08\x02\0\0\0\1\0\0\0\1\5", 13), "l.idx"),
              HasSubstr("an idx file of 2 dimensions, which holds points"));
}

TEST(Labels, BadLabelFilesSayWhatIsWrong) {
  EXPECT_THAT(label_error("", "l.txt"), HasSubstr("l.txt: is empty"));
  EXPECT_THAT(label_error("a\n\nb\n", "l.txt"), HasSubstr("line 2 is blank"));
  EXPECT_THAT(label_error("PK\x03\x04", "l.npz"), HasSubstr("is not a label file"));
  EXPECT_THAT(label_error(std::string_view("\0\0\x0d\x01\0\0\0\1\x3f\0\0\0", 12), "l.idx"),
              HasSubstr("the label of row 1 is 0.5, which is not a 32-bit integer"));
}

TEST(Labels, AFileBesideThePointsMustHaveOneLabelPerPoint) {
  const test::TemporaryFolder folder;
  const auto points = folder.write("p.csv", "1,2\n3,4\n");
  const auto labels = folder.write("l.txt", "b\na\n");
  EXPECT_THAT(load_points(points, {.labels_file = labels}).labels->values, ElementsAre(1, 0));
  const auto three = folder.write("three.txt", "b\na\nc\n");
  EXPECT_THAT(
      test::io_error([&] { static_cast<void>(load_points(points, {.labels_file = three})); }),
      HasSubstr("three.txt: has 3 labels for 2 points of "));
}

TEST(Unify, GivesEqualLabelsEqualValues) {
  Labels a{{0, 1, 0}, {"cat", "dog"}}, b{{1, 0}, {"cow", "dog"}};
  unify(a, b);
  EXPECT_THAT(a.names, ElementsAre("cat", "cow", "dog"));
  EXPECT_EQ(a.names, b.names);
  EXPECT_THAT(a.values, ElementsAre(0, 2, 0));
  EXPECT_THAT(b.values, ElementsAre(2, 1));

  Labels numbers{{4, 10}, {}}, more_numbers{{10}, {}}, words{{0}, {"ten"}};
  unify(numbers, more_numbers);
  EXPECT_THAT(numbers.values, ElementsAre(4, 10));
  unify(numbers, words);
  EXPECT_THAT(numbers.names, ElementsAre("10", "4", "ten"));
  EXPECT_EQ(numbers.name_of(0), "4");
  EXPECT_EQ(words.name_of(0), "ten");
}

TEST(Concatenate, JoinsPointsLabelsAndWeights) {
  const LoadOptions options{.label_column = "k", .weight_column = "w"};
  const PointSet joined = concatenate(
      {test::parse("x,k,w\n1,b,1\n2,a,2\n", options), test::parse("x,k,w\n3,c,3\n", options)});
  EXPECT_THAT(joined.values.values(), ElementsAre(1, 2, 3));
  EXPECT_THAT(joined.weights, ElementsAre(1, 2, 3));
  EXPECT_THAT(joined.labels->values, ElementsAre(1, 0, 2));
  EXPECT_THAT(joined.labels->names, ElementsAre("a", "b", "c"));
  EXPECT_THAT(joined.column_names, ElementsAre("x"));
}

TEST(Concatenate, RefusesSetsThatDoNotFit) {
  const auto error = [](const PointSet& a, const PointSet& b) {
    return test::io_error([&] { static_cast<void>(concatenate({a, b})); });
  };
  EXPECT_THAT(error(test::parse("1,2\n"), test::parse("1\n")), HasSubstr("dimension"));
  EXPECT_THAT(
      error(test::parse("1,2\n", {.label_column = "2"}, "a.csv"), test::parse("1\n", {}, "b.csv")),
      HasSubstr("a.csv (CSV) has labels, b.csv (CSV) has none"));
}

}  // namespace
}  // namespace nw::io
