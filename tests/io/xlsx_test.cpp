#include <gmock/gmock.h>

#include "io/table_test_support.hpp"

namespace nw::io::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Parts {
  std::string workbook =
      R"(<?xml version="1.0"?><workbook xmlns:r="x"><workbookPr/><sheets>)"
      R"(<sheet name="Hidden" sheetId="1" state="hidden" r:id="rId2"/>)"
      R"(<sheet name="Data &amp; more" sheetId="2" r:id="rId1"/></sheets></workbook>)";
  std::string relations =
      R"(<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>)"
      R"(<Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>)";
  std::string strings =
      R"(<sst><si><t>age</t></si><si><r><t>na</t></r><r><t xml:space="preserve">me</t></r></si>)"
      R"(<si><t>A &lt;b&gt; &#233;</t><rPh sb="0"><t>spoken</t></rPh></si><si/></sst>)";
  std::string styles =
      R"(<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm"/>)"
      R"(<numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;[Red]"/></numFmts>)"
      R"(<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>)"
      R"(<xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>)";
  std::string sheet =
      R"(<worksheet><sheetData><row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c>)"
      R"(<c r="D2" t="inlineStr"><is><t>when</t></is></c><c r="E2" t="str"><v>ok</v></c></row>)"
      R"(<row r="3"><c r="A3"><v>30</v></c><c r="B3" t="s"><v>2</v></c><c r="D3" s="1"><v>45292</v></c>)"
      R"(<c r="E3" t="b"><v>1</v></c></row><row r="4"/>)"
      R"(<row r="5"><c r="A5" s="3"><f>A3+1</f><v>31.5</v></c><c r="B5" t="s"><v>3</v></c>)"
      R"(<c r="D5" s="2"><v>45292.5</v></c><c r="E5" t="e"><v>#N/A</v></c></row>)"
      R"(<row r="6"><c r="B6"/><c r="E6" t="b"><v>0</v></c></row></sheetData></worksheet>)";

  [[nodiscard]] std::string zip() const {
    return zip_of({{"[Content_Types].xml", "<Types/>"},
                   {"xl/workbook.xml", workbook},
                   {"xl/_rels/workbook.xml.rels", relations},
                   {"xl/worksheets/sheet1.xml", sheet},
                   {"xl/worksheets/sheet2.xml", "<worksheet/>"},
                   {"xl/sharedStrings.xml", strings},
                   {"xl/styles.xml", styles}});
  }
};

TEST(Xlsx, ReadsTextNumbersBooleansDatesAndEmptyCellsOfTheFirstVisibleSheet) {
  const RawTable table = table_of(Parts{}.zip(), "book.xlsx");
  expect_consistent(table);
  ASSERT_EQ(table.rows, 3u);
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_TRUE(table.has_names);
  EXPECT_EQ(column(table, "age").kind, CellKind::number);
  EXPECT_EQ(column(table, "age").numbers[1], 31.5);
  EXPECT_THAT(texts(column(table, "name")), ElementsAre("A <b> \xc3\xa9", "", "<missing>"));
  EXPECT_EQ(column(table, "when").kind, CellKind::timestamp);
  EXPECT_EQ(column(table, "when").numbers[0], 1704067200.0);  // 2024-01-01
  EXPECT_EQ(column(table, "when").numbers[1], 1704067200.0 + 43200.0);
  EXPECT_EQ(column(table, "ok").kind, CellKind::boolean);
  EXPECT_EQ(column(table, "ok").missing, 1u);
  EXPECT_THAT(table.notes, ElementsAre(HasSubstr("\"Data & more\" of 2 sheets")));
}

TEST(Xlsx, AFirstRowWithNumbersIsNoHeader) {
  Parts parts;
  parts.sheet =
      "<worksheet><sheetData><row><c><v>1</v></c><c><v>2</v></c></row>"
      "<row><c><v>3</v></c><c><v>4</v></c></row></sheetData></worksheet>";
  const RawTable table = table_of(parts.zip(), "book.xlsx");
  EXPECT_FALSE(table.has_names);
  EXPECT_THAT(table.columns.at(1).numbers, ElementsAre(2, 4));
  EXPECT_EQ(table_of(parts.zip(), "book.xlsx", {.header = Header::present}).rows, 1u);
}

TEST(Xlsx, DatesCountFrom1904WhereTheWorkbookSaysSo) {
  Parts parts;
  parts.workbook.replace(parts.workbook.find("<workbookPr/>"), 13, "<workbookPr date1904=\"1\"/>");
  const RawTable table = table_of(parts.zip(), "book.xlsx");
  EXPECT_EQ(column(table, "when").numbers[0], (45292.0 - 24107.0) * 86400.0);
}

TEST(Xlsx, RefusesDamagedWorkbooksByName) {
  const auto error = [](const auto& change) {
    Parts parts;
    change(parts);
    return table_error(parts.zip(), "book.xlsx");
  };
  EXPECT_THAT(error([](Parts& p) { p.sheet = "<worksheet><sheetData/></worksheet>"; }),
              HasSubstr("book.xlsx: sheet \"Data & more\" holds no rows"));
  EXPECT_THAT(error([](Parts& p) { p.strings = "<sst/>"; }), HasSubstr("no text number \"0\""));
  EXPECT_THAT(error([](Parts& p) { p.workbook = "<workbook/>"; }), HasSubstr("without a sheet"));
  EXPECT_THAT(error([](Parts& p) { p.sheet = "<!DOCTYPE x [<!ENTITY a \"b\">]>" + p.sheet; }),
              HasSubstr("declares a document type"));
  EXPECT_THAT(error([](Parts& p) { p.sheet = "<row><c r=\"ZZZZ1\"><v>1</v></c></row>"; }),
              HasSubstr("is not a cell"));
  EXPECT_THAT(error([](Parts& p) { p.sheet = "<row><c r=\"A1\"><v>1,5</v></c></row>"; }),
              HasSubstr("\"1,5\" is not a number"));
}

TEST(Xlsx, AFarCellInManyRowsIsRefusedBeforeItTakesMemory) {
  Parts parts;
  parts.sheet = "<worksheet><sheetData>";
  for (int i = 1; i <= 2000; ++i)
    parts.sheet += concat("<row><c r=\"XFD", i, "\"><v>1</v></c></row>");
  EXPECT_THAT(table_error(parts.zip(), "wide.xlsx", {.max_unpacked_bytes = 1 << 24}),
              HasSubstr("takes more than"));
}

}  // namespace
}  // namespace nw::io::test
