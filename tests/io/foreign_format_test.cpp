// Files that are not read are named, with what to do; packed tables are unpacked.
#include <gmock/gmock.h>

#include "io/gzip.hpp"
#include "io/table_test_support.hpp"

namespace nw::io::test {
namespace {

using namespace std::string_view_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Foreign {
  std::string_view bytes, name, what, remedy;
};

TEST(ForeignFormat, IsNamedWithTheFileAndARemedyByTablesAndByPoints) {
  const std::string sas = std::string(12, '\0') + "\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92";
  const std::string tar = std::string(257, 'a') + "ustar";
  const Foreign cases[] = {
      {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"sv, "a.xls", "an Excel workbook from before 2007",
       "save it as CSV or XLSX"},
      {"SQLite format 3\0\x10\0"sv, "a.db", "an SQLite database", "export a table"},
      {"%PDF-1.7\n", "a.pdf", "a PDF document", "CSV"},
      {"\x80\x04\x95\x10\0\0\0"sv, "a.pkl", "a Python pickle", "to_csv"},
      {"\x89HDF\r\n\x1a\n\0"sv, "a.h5", "an HDF5 file", "to_parquet"},
      {"RDX3\nX\n", "a.RData", "an R workspace", "write.csv"},
      {"X\n\0\0\0\x03\0\4\3\2"sv, "a.rds", "an R object", "write.csv"},
      {"$FL2@(#) SPSS", "a.sav", "an SPSS file", "CSV"},
      {"<stata_dta><header>", "a.dta", "a Stata file", "export delimited"},
      {"\x72\x02\x01\0\x10\0"sv, "a.dta", "a Stata file", "export delimited"},
      {sas, "a.sas7bdat", "a SAS data set", "proc export"},
      {"FEA1\0\0\0\0"sv, "a.feather", "Feather file of version 1", "version 2"},
      {"PARE....", "a.parquet", "an encrypted Parquet file", "without encryption"},
      {"ORC\n", "a.orc", "an ORC file", "Parquet"},
      {"Obj\x01\x04", "a.avro", "an Avro file", "Parquet"},
      {"\n<!DOCTYPE HTML><html>", "a.csv", "a web page", "download the data file itself"},
      {"<?xml version=\"1.0\"?>", "a.xml", "an XML document", "CSV"},
      {"\xfd"
       "7zXZ\0\0"sv,
       "a.csv.xz", "packed by xz", "unpack it first"},
      {"BZh91AY&SY\x01\x02", "a.csv.bz2", "packed by bzip2", "unpack it first"},
      {"\x28\xb5\x2f\xfd\x04", "a.csv.zst", "packed by zstd", "unpack it first"},
      {tar, "a.tar", "a tar archive", "tar xf"},
      {"version https://git-lfs.github.com/spec/v1\n", "a.csv", "a Git LFS pointer",
       "git lfs pull"},
  };
  for (const Foreign& f : cases) {
    const auto expected = AllOf(testing::StartsWith(std::string(f.name) + ": this is "),
                                HasSubstr(std::string(f.what)), HasSubstr(std::string(f.remedy)));
    EXPECT_THAT(table_error(f.bytes, f.name), expected);
    EXPECT_THAT(parse_error(f.bytes, {}, f.name), expected);
  }
  const std::string rds = gzip("X\n\0\0\0\x03\0\4\3\2"sv);
  EXPECT_THAT(table_error(rds, "a.rds"), HasSubstr("an R object"));
}

TEST(ForeignFormat, AnAddressOnTheWebIsToBeDownloadedFirst) {
  const auto error =
      io_error([] { static_cast<void>(load_input("https://example.org/data/titanic.csv")); });
  EXPECT_THAT(error, HasSubstr("download the file first"));
}

constexpr std::string_view kCsv = "a,b\n1,2\n3,4\n";

TEST(PackedTable, AZippedCsvIsReadAsTheCsvItself) {
  for (const bool compressed : {true, false}) {
    const std::string zip = zip_of({{"x.csv", std::string(kCsv)}}, compressed);
    const RawTable table = table_of(zip, "x.csv.zip");
    EXPECT_EQ(table.rows, 2u);
    EXPECT_THAT(table.source, HasSubstr("x.csv.zip[x.csv]"));
    EXPECT_EQ(parse(zip, {}, "x.csv.zip").column_names, (std::vector<std::string>{"a", "b"}));
  }
}

TEST(PackedTable, WhatFileManagersAddToAZipDoesNotCount) {
  const std::string zip = zip_of({{"data/", ""},
                                  {"data/x.csv", std::string(kCsv)},
                                  {"__MACOSX/._x.csv", "?"},
                                  {"data/.DS_Store", "?"}});
  EXPECT_EQ(table_of(zip, "x.zip").rows, 2u);
}

TEST(PackedTable, TextOfAnyFormatMayBeGzippedOrZipped) {
  const std::string json = "[{\"a\": 1}, {\"a\": 2}]";
  const std::string arff = "@relation r\n@attribute a numeric\n@data\n1\n2\n";
  for (const std::string& packed :
       {gzip(json), gzip(arff), zip_of({{"a", json}}), zip_of({{"a.txt", arff}})}) {
    EXPECT_THAT(table_of(packed, "packed").columns.at(0).numbers, ElementsAre(1, 2));
  }
}

TEST(PackedTable, ArchivesOfSeveralFilesOrNoneAreRefusedByName) {
  const std::string csv(kCsv);
  EXPECT_THAT(
      table_error(zip_of({{"a.csv", csv}, {"b.csv", csv}}), "ab.zip"),
      AllOf(HasSubstr("ab.zip: holds 2 files (\"a.csv\", \"b.csv\")"), HasSubstr("choose a file")));
  EXPECT_THAT(table_error(zip_of({{"data/", ""}}), "none.zip"), HasSubstr("holds no files"));
  EXPECT_THAT(table_error(zip_of({{"content.xml", "x"}, {"mimetype", "y"}}), "a.ods"),
              HasSubstr("an OpenDocument file (LibreOffice); save it as CSV"));
  EXPECT_THAT(table_error(zip_of({{"xl/workbook.bin", "x"}}), "a.xlsb"), HasSubstr(".xlsb"));
  EXPECT_THAT(table_error(zip_of({{"b.zip", zip_of({{"a.csv", csv}})}}), "twice.zip"),
              HasSubstr("packed twice"));
  EXPECT_THAT(table_error(gzip(zip_of({{"a.csv", csv}})), "twice.gz"), HasSubstr("packed twice"));
  EXPECT_THAT(table_error(zip_of({{"old.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"}}), "o.zip"),
              HasSubstr("o.zip[old.xls]: this is an Excel workbook from before 2007"));
}

TEST(PackedTable, AnEncryptedZipAsksForOneWithoutPassword) {
  std::string zip = zip_of({{"a.csv", std::string(kCsv)}});
  const std::size_t central = zip.find("PK\x01\x02");
  zip[central + 8] |= 1;  // the general purpose flag of the directory
  EXPECT_THAT(table_error(zip, "a.zip"), HasSubstr("is encrypted; save it without a password"));
}

TEST(PackedTable, ABombIsRefusedAtTheLimit) {
  std::string json = "[";
  for (int i = 0; i < 20000; ++i) json += "{\"a\": 1.0000000000000000000000000000000000},\n";
  json += "{\"a\": 1}]";
  const LoadOptions small{.max_unpacked_bytes = 1 << 19};
  EXPECT_THAT(table_error(gzip(json), "bomb.json.gz", small), HasSubstr("more than 524288 bytes"));
  EXPECT_THAT(table_error(zip_of({{"bomb.json", json}}), "bomb.zip", small),
              HasSubstr("more than 524288 bytes"));
}

}  // namespace
}  // namespace nw::io::test
