#include <gmock/gmock.h>

#include "io/table_test_support.hpp"

namespace nw::io::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kIris = R"(% 1. Title: a few flowers
@RELATION iris
@ATTRIBUTE sepallength REAL
@attribute 'petal width'	numeric
@ATTRIBUTE count integer
@ATTRIBUTE class {Iris-setosa, 'Iris versicolor', "a,b"}
@ATTRIBUTE note string
@attribute seen date "yyyy-MM-dd"
@DATA
5.1,0.2,3,Iris-setosa,'it\'s small',2024-01-02
% a comment

?, 0.4 ,4,'Iris versicolor',?,"2024-01-03"
6,1e-1,5,"a,b",plain,?
)";

TEST(Arff, ReadsNumbersNominalsTextAndMissingValues) {
  const RawTable table = table_of(kIris, "iris.arff");
  expect_consistent(table);
  ASSERT_EQ(table.rows, 3u);
  EXPECT_EQ(column(table, "sepallength").missing, 1u);
  EXPECT_THAT(column(table, "petal width").numbers, ElementsAre(0.2, 0.4, 0.1));
  EXPECT_EQ(column(table, "count").kind, CellKind::integer);
  EXPECT_THAT(texts(column(table, "class")), ElementsAre("Iris-setosa", "Iris versicolor", "a,b"));
  EXPECT_THAT(texts(column(table, "note")), ElementsAre("it's small", "<missing>", "plain"));
  EXPECT_THAT(texts(column(table, "seen")), ElementsAre("2024-01-02", "2024-01-03", "<missing>"));
}

TEST(Arff, IsRecognisedByItsFirstLineThatIsNoComment) {
  EXPECT_EQ(table_of(kIris, "iris.txt").columns.size(), 6u);
}

TEST(Arff, CarriageReturnsChangeNothing) {
  std::string text;
  for (const char c : kIris) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(table_of(text, "iris.arff").rows, 3u);
}

TEST(Arff, RefusesWithLineValueAndRemedy) {
  const auto error = [](const std::string& data) {
    return table_error("@relation r\n@attribute a numeric\n@attribute b {x,y}\n" + data, "r.arff");
  };
  EXPECT_THAT(error("@data\n1,x\n{0 1}\n"), HasSubstr("r.arff: line 6: a row in sparse form"));
  EXPECT_THAT(error("@data\n1,z\n"), HasSubstr("\"z\" is not among the values"));
  EXPECT_THAT(error("@data\none,x\n"), HasSubstr("\"one\" in attribute \"a\" is not a number"));
  EXPECT_THAT(error("@data\n1\n"), HasSubstr("expected a comma after value 1 of 2"));
  EXPECT_THAT(error("@data\n1,x,2\n"), HasSubstr("more than the 2 values"));
  EXPECT_THAT(error("@data\n1,'x\n"), HasSubstr("a quote is not closed"));
  EXPECT_THAT(error("@data\n"), HasSubstr("no rows"));
  EXPECT_THAT(error("1,x\n"), HasSubstr("where @relation, @attribute or @data is expected"));
  EXPECT_THAT(error("@attribute c relational\n@data\n"), HasSubstr("relational"));
  EXPECT_THAT(error("@attribute c {a,b\n"), HasSubstr("has no end"));
  EXPECT_THAT(error("% nothing follows\n"), HasSubstr("no @data line"));
}

}  // namespace
}  // namespace nw::io::test
