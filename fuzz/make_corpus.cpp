// Writes the seeds of the fuzzers: tiny valid files of every kind, and a few broken ones. Files in
// the corpus called found_* are not from here: fuzzers found them, and they stay fixed.
//   make_corpus FOLDER
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <jpeglib.h>
#include <png.h>

#include "nw/io/safetensors.hpp"
#include "nw/io/write.hpp"

#include "io/gzip.hpp"
#include "io/zip.hpp"

namespace {

using nw::io::test::gzip;

std::filesystem::path root;

void put(const std::string& parser, const std::string& name, std::string_view bytes) {
  std::filesystem::create_directories(root / parser);
  std::ofstream(root / parser / name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::vector<unsigned char> gradient(std::size_t width, std::size_t height, std::size_t channels) {
  std::vector<unsigned char> pixels;
  for (std::size_t i = 0; i < width * height * channels; ++i) {
    pixels.push_back(static_cast<unsigned char>(i * 7));
  }
  return pixels;
}

std::string png(unsigned width, unsigned height, std::size_t channels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = channels == 1 ? PNG_FORMAT_GRAY : channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA;
  const auto pixels = gradient(width, height, channels);
  std::string bytes(10000, '\0');
  png_alloc_size_t size = bytes.size();
  png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(), 0, nullptr);
  bytes.resize(size);
  return bytes;
}

std::string jpeg(unsigned width, unsigned height, std::size_t channels, bool progressive) {
  jpeg_compress_struct out{};
  jpeg_error_mgr errors{};
  out.err = jpeg_std_error(&errors);
  jpeg_create_compress(&out);
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&out, &buffer, &size);
  out.image_width = width;
  out.image_height = height;
  out.input_components = static_cast<int>(channels);
  out.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&out);
  jpeg_set_quality(&out, 50, TRUE);
  out.optimize_coding = TRUE;  // small tables make small seeds
  if (progressive) jpeg_simple_progression(&out);
  jpeg_start_compress(&out, TRUE);
  auto pixels = gradient(width, height, channels);
  while (out.next_scanline < height) {
    JSAMPROW row = pixels.data() + out.next_scanline * width * channels;
    jpeg_write_scanlines(&out, &row, 1);
  }
  jpeg_finish_compress(&out);
  jpeg_destroy_compress(&out);
  std::string bytes(reinterpret_cast<char*>(buffer), size);
  std::free(buffer);
  return bytes;
}

std::string npz(const std::vector<nw::io::NamedArray>& arrays, bool compressed) {
  const auto file = root / "seed.npz";
  nw::io::write_npz(file, arrays, compressed);
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  return bytes;
}

std::string npy(const std::string& descr, bool fortran, const std::string& shape,
                std::string_view data) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': " + shape + ", }\n";
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes.append(header).append(data);
}

void tables() {
  // The first byte chooses the options; see feed_csv.
  const std::string automatic(1, '\0'), labelled(1, '\x60');
  put("csv", "header", automatic + "x,y\n1,2.5\n-3e4,.5\n");
  put("csv", "quotes", automatic + "\"a \"\"b\"\"\",c\r\n\"1\",2\r\n\r\n3,\"4\"");
  put("csv", "tabs", automatic + "1\t2\n3\t4\n");
  put("csv", "blanks", automatic + "# note\n 1  2\n3 4 \n");
  put("csv", "labels_and_weights", labelled + "1,dog,0.5\n2,cat,1\n3,dog,0\n");
  put("csv", "byte_order_mark",
      automatic +
          "\xef\xbb\xbf"
          "1;2;\n3;4;\n");
  put("csv", "not_finite", automatic + "1,nan\ninf,1e999\n");
  put("csv", "open_quote", automatic + "1,\"2\n3,4\n");
}

void arrays() {
  const nw::Matrix matrix({1, 2, 3, 4, 5, 6}, 3, 2);
  const std::vector<std::int32_t> labels = {3, 1, 3};
  const std::vector<double> weights = {0.5, 1.0, 0.0};
  const std::string plain(1, '\0'), both(1, '\3');
  put("npy", "f8", plain + nw::io::npy_bytes(matrix.view()));
  put("npy", "i4", plain + nw::io::npy_bytes(std::span<const std::int32_t>(labels)));
  put("npy", "columns", both + nw::io::npy_bytes(nw::Matrix({1, 2, 3, 4, 5, 6}, 2, 3).view()));
  put("npy", "fortran",
      plain + npy(">i2", true, "(2, 2, 1)", std::string_view("\0\1\0\2\0\3\0\4", 8)));
  put("npy", "half", plain + npy("<f2", false, "(2,)", std::string_view("\0\x3c\0\x7c", 4)));
  put("npy", "boast", plain + npy("<f8", false, "(1000000000000000000, 1)", "12345678"));
  const std::vector<nw::io::NamedArray> archive = {{"X", matrix.view()},
                                                   {"y", std::span<const std::int32_t>(labels)},
                                                   {"w", std::span<const double>(weights)}};
  put("npz", "stored", both + npz(archive, false));
  put("npz", "packed", both + npz(archive, true));
  put("npz", "single", plain + npz({{"a", matrix.view()}}, true));
  const std::string_view images("\0\0\x08\x03\0\0\0\2\0\0\0\2\0\0\0\1\1\2\3\4", 20);
  put("idx", "images", images);
  put("idx", "floats", std::string_view("\0\0\x0d\x02\0\0\0\1\0\0\0\1\x3f\x80\0\0", 16));
  put("idx", "boast", std::string_view("\0\0\x0e\x03\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\1", 16));
  put("gzip", "table", gzip("x,y\n1,2\n3,4\n"));
  put("gzip", "two_members", gzip("1,2\n") + gzip("3,4\n"));
  put("gzip", "idx", gzip(images));
  put("gzip", "npy", gzip(nw::io::npy_bytes(matrix.view())));
  put("gzip", "long", gzip(std::string(100000, '\n')));
}

void images() {
  put("png", "grey", png(5, 3, 1));
  put("png", "colour", png(3, 3, 3));
  put("png", "transparent", png(2, 2, 4));
  put("jpeg", "grey", jpeg(9, 5, 1, false));
  put("jpeg", "colour", jpeg(8, 8, 3, false));
  put("jpeg", "progressive", jpeg(17, 9, 3, true));
  // Two bytes choose the grid; see feed_sheet.
  put("sheet", "png_2x2", "\x11" + std::string(1, '\0') + png(4, 4, 1));
  put("sheet", "png_to_grey", "\x11\x01" + png(4, 2, 3));
  put("sheet", "jpeg_to_colour", "\x11\x32" + jpeg(8, 8, 1, false));
}

void records() {
  put("record", "compare",
      R"({"kind":"compare","wasserstein":1.5,"k":1,"pi_x":[1],"pi_y":[1],"pi_x_interval":[[0.9,1]],)"
      R"("verdict":"same","components":[{"centre":[0,1],"mass_x":1,"mass_y":1,"status":"shared"}],)"
      R"("data":[{"name":"a","rows":2,"columns":2}],"settings":{"p":1,"q":0.5,"s":"t","b":true},)"
      R"("figure":{"axes":[{"name":"u"}],"x":[[1]],"plain":[[[1],[2],0.5]]},"other":[1,{"a":2}]})");
  put("record", "choose_k",
      R"({"curve":[{"k":1,"nw":2,"nw_low":null},{"k":2,"nw":1}],"k":2,"reasons":["x"],"seeds":[7]})");
  put("record", "training",
      R"({"kind":"training","series":[{"name":"loss","x":[0,1],"y":[2,null]}],"accuracy":0.9,)"
      R"("metrics":[{"name":"m","value":1,"interval":[0,2],"expected":1}]})");
}

std::string safetensors(const std::vector<nw::io::TensorView>& tensors,
                        const nw::io::TensorMetadata& metadata = {}) {
  std::string bytes = nw::io::safetensors_header(tensors, metadata);
  for (const auto& tensor : nw::io::safetensors_order(tensors)) {
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return bytes;
}

std::string raw_safetensors(const std::string& header, const std::string& data) {
  return std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header + data;
}

void tensors() {
  const std::vector<double> weights = {1.0, -2.5, 3.0, 4.0};
  const std::vector<float> bias = {0.5F};
  const std::vector<std::uint16_t> halves = {0x3c00, 0x7c00};
  const auto halves_as = [&](const char* name, nw::io::TensorType type) {
    return nw::io::TensorView{name, type, {2}, std::as_bytes(std::span(halves))};
  };
  const std::vector<nw::io::TensorView> mixed = {
      nw::io::view_tensor("w", std::span<const double>(weights), {2, 2}),
      nw::io::view_tensor("b", std::span<const float>(bias), {}),
      halves_as("h", nw::io::TensorType::f16), halves_as("g", nw::io::TensorType::bf16)};
  put("safetensors", "mixed", safetensors(mixed, {{"format", "nw"}, {"state", "{\"a\":[1]}"}}));
  put("safetensors", "empty", safetensors({}));
  put("safetensors", "scalar",
      raw_safetensors(R"({"s":{"dtype":"I8","shape":[],"data_offsets":[0,1]}})", "x"));
  put("safetensors", "nothing_inside",
      raw_safetensors(R"({"z":{"dtype":"BOOL","shape":[3,0],"data_offsets":[0,0]}} )", ""));
  put("safetensors", "boast",
      raw_safetensors(R"({"t":{"dtype":"F64","shape":[1000000000,1000000000],)"
                      R"("data_offsets":[0,8]}})",
                      "12345678"));
  put("safetensors", "overlap",
      raw_safetensors(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                      R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                      "abc"));
}

void label_files() {
  const std::vector<std::int32_t> labels = {3, 1, 3};
  const std::string text(1, '\0'), csv(1, '\1'), binary(1, '\3');
  put("labels", "lines", text + "dog\ncat\r\ndog\n");
  put("labels", "csv", csv + "id,label\n1,dog\n2,\"sea, lion\"\n");
  put("labels", "csv_numbers", csv + "7\n-3\n7.0\n");
  put("labels", "npy", binary + nw::io::npy_bytes(std::span<const std::int32_t>(labels)));
  put("labels", "npy_text",
      binary + npy("<U2", false, "(2,)", std::string_view("a\0\0\0b\0\0\0K\0\0\0\xe4\0\0\0", 16)));
  put("labels", "npy_bytes", binary + npy("|S3", false, "(2,)", "dogcat"));
  put("labels", "idx", text + std::string("\0\0\x08\x01\0\0\0\3\5\0\7", 11));
}

std::string zip(const std::string& name, std::string_view content, bool compressed) {
  const auto file = std::filesystem::temp_directory_path() / "nw_make_corpus.zip";
  nw::io::write_file_atomically(file, [&](nw::io::FileSink& sink) {
    nw::io::ZipWriter writer(sink);
    writer.add(name, {content}, compressed);
    writer.finish();
  });
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(file);
  return bytes;
}

/// The seeds of Parquet and Arrow are other writers': tests/io/peers/write_fixtures.mjs.
void typed_tables() {
  constexpr std::string_view kObjects =
      "[{\"a\": 1, \"b\": \"x\", \"c\": true, \"d\": null},\n {\"a\": 2.5, \"e\": [1, {}]}]";
  put("json", "objects", kObjects);
  put("json", "arrays", "[[1, 2], [3, \"\\u00e9\"], [-1e5]]");
  put("json", "lines", "{\"a\": 1, \"b\": 12345678901234567890}\n\n{\"b\": false}\n");
  put("json", "cut_off", "[{\"a\": 1}, {\"a\":");
  constexpr std::string_view kArff =
      "% c\n@relation r\n@attribute 'a b' numeric\n@attribute c {x, 'y z'}\n@attribute s string\n"
      "@attribute d date \"yyyy\"\n@data\n1.5,x,\"t\\'t\",2001\n?, 'y z' ,?,?\n3,x,u,2002,{2}\n";
  put("arff", "all_types", kArff);
  put("arff", "short", "@relation r\n@attribute a integer\n@data\n1\n2\n");
  put("arff", "sparse", "@relation r\n@attribute a integer\n@data\n{0 1}\n");
  using namespace std::string_view_literals;
  constexpr std::string_view kSheet =
      "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"C1\" "
      "t=\"inlineStr\"><is><t>b</t></is></c></row><row r=\"2\"><c r=\"A2\" s=\"1\"><v>45292</v></c>"
      "<c r=\"C2\" t=\"b\"><v>1</v></c></row></sheetData></worksheet>\0"
      "<sst><si><t>a &amp; &#233;</t></si></sst>\0<styleSheet><numFmt numFmtId=\"164\" "
      "formatCode=\"yy&quot;d&quot;\"/><cellXfs><xf/><xf numFmtId=\"164\"/></cellXfs></styleSheet>"sv;
  put("xlsx", "all_parts", kSheet);
  put("xlsx", "numbers", "<row><c><v>1</v></c></row><row><c><v>-2.5e3</v></c><c/></row>");
  put("xlsx", "document_type", "<!DOCTYPE a><row><c><v>1</v></c></row>");
  put("container", "zipped_csv", zip("t.csv", "a,b\n1,x\n2,\n", true));
  put("container", "stored_json", zip("folder/t.json", kObjects, false));
  put("container", "gzipped_arff", gzip(kArff));
  put("container", "old_workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
}

/// Text as people write it: the first byte chooses delimiter and header.
void written_tables() {
  const auto add = [](const std::string& name, std::string_view text, char choice = '\0') {
    put("table", name, choice + std::string(text));
  };
  add("kinds",
      "when,amount,share,kind,flag,note\n2024-01-31,\"$1,234.50\",12 "
      "%,red,yes,first\n2024-02-01,$7,3%,blue,no,NA\n2024-02-02 10:30,-,99 %,red,true,\?\n");
  add("decimal_comma", "a;b;c\n1,5;2.000,25;x\n2,5;;y\n-3,25;1.000;x\n");
  add("sep_line", "sep=;\nx;y\n1;2\n3;4\n");
  add("quotes", "name,v\n\"a, b\",1\n\"say \"\"hi\"\"\",2\n\"two\nlines\",3\n");
  add("notes",
      "# made by hand\n# twice\na,b\n1,2\n3,4\n# between\n5,6\nTotal of all\nSource: somewhere\n");
  add("days",
      "d,e,f\n31.01.2024,01/31/2024,10:15\n28.02.2024,02/28/2024,11:00\n01.03.2024,03/01/2024,\n");
  add("one_date", "d,e,f0..3\n112024,,/r0e1w410:14\n28.02.2023,03/01/2023,\n");
  add("identifiers",
      "id,code\n12345678901234567890,007\n12345678901234567891,008\n12345678901234567892,\n");
  add("mostly_numbers", "v\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\nunknown\n");
  add("latin1", "stra\337e,wert\nH\366he,1\nb,2\n");
  add("blanks", "x y z\n1 2 3\n4 5 6\n", '\14');
  add("tabs", "x\ty\n1\t2\n3\tNaN\n", '\6');
  add("one_column", "1\n2\n\n3\n", '\2');
  add("extremes", "a,b,c\n1e308,-1e308,1e-320\n0,-0,inf\n1e400,nan,5\n");
  std::string late = "v,w\n";
  for (int i = 0; i < 1100; ++i) late += std::to_string(i % 7) + "," + std::to_string(i % 3) + "\n";
  add("late_word", late + "odd,x\n");
  std::string wide = "\377\376";
  for (const char16_t c : std::u16string(u"a,b\n1,\u00e4\n2,\u00f6\n")) {
    wide += static_cast<char>(c & 0xff);
    wide += static_cast<char>(c >> 8);
  }
  add("utf16", wide);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_corpus FOLDER\n";
    return 2;
  }
  root = argv[1];
  std::filesystem::create_directories(root);
  tables();
  arrays();
  images();
  label_files();
  records();
  tensors();
  typed_tables();
  written_tables();
  return 0;
}
