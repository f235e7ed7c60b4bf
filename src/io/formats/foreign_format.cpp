// Marks are those of the formats' own specifications, or of file(1) where there is none.
#include "io/formats/foreign_format.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "io/failure.hpp"
#include "io/recognise.hpp"

namespace nw::io {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::size_t offset;
  std::string_view bytes;
  ForeignFormat format;
};

constexpr std::string_view kUnpack = "unpack it first";
constexpr std::string_view kFromPandas =
    "load it in Python and save it with to_csv or to_parquet, or pass the frame to the nw module";
constexpr std::string_view kFromR = "open it in R and save it with write.csv";
constexpr std::string_view kToPng = "save it as PNG";

constexpr std::array kMarks = {
    Mark{0,
         "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv,
         {"an Excel workbook from before 2007 or another old Office file",
          "save it as CSV or XLSX"}},
    Mark{0,
         "SQLite format 3\0"sv,
         {"an SQLite database", "export a table: sqlite3 -csv -header FILE 'select * from TABLE'"}},
    Mark{0, "%PDF-"sv, {"a PDF document", "export its table as CSV"}},
    Mark{0, "\x89HDF\r\n\x1a\n"sv, {"an HDF5 file", kFromPandas}},
    Mark{0, "CDF\x01"sv, {"a NetCDF file", kFromPandas}},
    Mark{0, "CDF\x02"sv, {"a NetCDF file", kFromPandas}},
    Mark{0,
         "MATLAB 5.0 MAT-file"sv,
         {"a MATLAB file", "save it in MATLAB with writematrix or writetable as CSV"}},
    Mark{0, "RDX2\n"sv, {"an R workspace", kFromR}},
    Mark{0, "RDX3\n"sv, {"an R workspace", kFromR}},
    Mark{0, "RDA2\n"sv, {"an R workspace", kFromR}},
    Mark{0, "RDA3\n"sv, {"an R workspace", kFromR}},
    Mark{0, "X\n\0\0\0"sv, {"an R object (.rds)", kFromR}},
    Mark{0, "$FL2"sv, {"an SPSS file", "save it as CSV in SPSS or PSPP"}},
    Mark{0, "$FL3"sv, {"an SPSS file", "save it as CSV in SPSS or PSPP"}},
    Mark{0, "<stata_dta>"sv, {"a Stata file", "save it in Stata with export delimited"}},
    Mark{12,
         "\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92"sv,
         {"a SAS data set", "save it as CSV with proc export"}},
    Mark{0,
         "HEADER RECORD*******LIBRARY HEADER"sv,
         {"a SAS transport file", "save it as CSV with proc export"}},
    Mark{0, "PARE"sv, {"an encrypted Parquet file", "save it without encryption"}},
    Mark{0,
         "FEA1"sv,
         {"a Feather file of version 1",
          "save it again as version 2 (to_feather of any pandas "
          "since 1.1) or as Parquet"}},
    Mark{0, "ORC"sv, {"an ORC file", "save it as Parquet"}},
    Mark{0, "Obj\x01"sv, {"an Avro file", "save it as Parquet or JSON lines"}},
    Mark{0,
         "\xfd"
         "7zXZ\0"sv,
         {"packed by xz", "unpack it first: unxz FILE"}},
    Mark{0, "\x28\xb5\x2f\xfd"sv, {"packed by zstd", "unpack it first: unzstd FILE"}},
    Mark{0, "\x04\x22\x4d\x18"sv, {"packed by lz4", "unpack it first: unlz4 FILE"}},
    Mark{0, "7z\xbc\xaf\x27\x1c"sv, {"a 7z archive", kUnpack}},
    Mark{0, "Rar!\x1a\x07"sv, {"a RAR archive", kUnpack}},
    Mark{257, "ustar"sv, {"a tar archive", "unpack it first: tar xf FILE"}},
    Mark{0, "GIF8"sv, {"a GIF image", kToPng}},
    Mark{0, "II*\0"sv, {"a TIFF image", kToPng}},
    Mark{0, "MM\0*"sv, {"a TIFF image", kToPng}},
    Mark{8, "WEBP"sv, {"a WebP image", kToPng}},
    Mark{0,
         "\x7f"
         "ELF"sv,
         {"a program", "give a file with data"}},
    Mark{0, "{\\rtf"sv, {"a rich text document", "save it as CSV"}},
    Mark{0,
         "version https://git-lfs.github.com/spec/"sv,
         {"a Git LFS pointer, not the file itself", "fetch the file with git lfs pull"}},
};

bool begins_without_case(std::string_view text, std::string_view start) {
  return text.size() >= start.size() &&
         std::ranges::equal(text.substr(0, start.size()), start, [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::string_view without_blanks(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

/// Protocol 2 and later begin with 0x80 and the protocol's number; what follows is an opcode:
/// a frame, or the first of the object.
bool is_pickle(std::string_view bytes) {
  if (bytes.size() < 3 || bytes[0] != '\x80' || bytes[1] < 2 || bytes[1] > 5) return false;
  return "\x95}](c\x8c\x8aKJM"sv.find(bytes[2]) != std::string_view::npos;
}

}  // namespace

std::optional<ForeignFormat> foreign_format(std::string_view bytes, std::string_view plain_name) {
  for (const Mark& mark : kMarks) {
    if (bytes.size() > mark.offset && bytes.substr(mark.offset).starts_with(mark.bytes)) {
      return mark.format;
    }
  }
  if (is_pickle(bytes)) return ForeignFormat{"a Python pickle", kFromPandas};
  if (bytes.size() > 10 && bytes.starts_with("BZh") && bytes.substr(4, 6) == "1AY&SY") {
    return ForeignFormat{"packed by bzip2", "unpack it first: bunzip2 FILE"};
  }
  // Stata before version 13: the version's number, the byte order 1 or 2, and file type 1.
  if (plain_name.ends_with(".dta") && bytes.size() > 4 && bytes[0] >= 0x69 && bytes[0] <= 0x73 &&
      bytes[2] == 1) {
    return ForeignFormat{"a Stata file", "save it in Stata with export delimited"};
  }
  const std::string_view text = without_blanks(bytes);
  for (const std::string_view start : {"<!doctype html"sv, "<html"sv, "<table"sv}) {
    if (begins_without_case(text, start)) {
      return ForeignFormat{"a web page (HTML)",
                           "download the data file itself, or save the table as CSV"};
    }
  }
  if (begins_without_case(text, "<?xml")) {
    return ForeignFormat{"an XML document", "save it as CSV"};
  }
  return {};
}

void refuse_foreign(std::string_view first_bytes, std::string_view file) {
  const auto found = foreign_format(first_bytes, plain_name(file));
  if (found) fail(file, "this is ", found->what, "; ", found->remedy);
}

bool is_web_address(std::string_view path) {
  constexpr std::array kSchemes = {"http://"sv, "https://"sv, "ftp://"sv, "s3://"sv,
                                   "gs://"sv,   "hdfs://"sv,  "abfs://"sv};
  return std::ranges::any_of(
      kSchemes, [&](std::string_view scheme) { return begins_without_case(path, scheme); });
}

}  // namespace nw::io
