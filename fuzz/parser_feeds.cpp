#include "parser_feeds.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nw/base/error.hpp"
#include "nw/io/load_input.hpp"
#include "nw/io/points.hpp"
#include "nw/io/safetensors.hpp"
#include "nw/record/run_record.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::fuzz {
namespace {

void require_contract(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void check(const io::Labels& labels) {
  for (const std::int32_t value : labels.values) {
    const bool named = value >= 0 && static_cast<std::size_t>(value) < labels.names.size();
    require_contract(labels.names.empty() || named, "a label without name");
  }
  require_contract(std::ranges::is_sorted(labels.names), "names are not sorted");
}

void check(const io::PointSet& points) {
  const auto finite = [](double value) { return std::isfinite(value); };
  require_contract(points.size() > 0 && points.dimension() > 0, "no points");
  require_contract(std::ranges::all_of(points.values.values(), finite), "a value is not finite");
  require_contract(points.column_names.empty() || points.column_names.size() == points.dimension(),
                   "names do not match the columns");
  require_contract(points.weights.empty() || points.weights.size() == points.size(),
                   "weights do not match the points");
  require_contract(std::ranges::all_of(points.weights, finite), "a weight is not finite");
  if (points.image) {
    const io::ImageShape& shape = *points.image;
    require_contract(shape.height * shape.width * shape.channels == points.dimension(),
                     "the image shape does not match the columns");
  }
  if (points.labels) {
    require_contract(points.labels->size() == points.size(), "labels do not match the points");
    check(*points.labels);
  }
}

bool accepted(std::span<const std::byte> bytes, const char* name, const io::LoadOptions& options) {
  try {
    check(io::parse_points(bytes, name, options));
    return true;
  } catch (const IoError& error) {
    require_contract(std::string_view(error.what()).find(name) != std::string_view::npos,
                     "a message does not name its file");
    return false;
  }
}

void check(const io::RawTable& table) {
  require_contract(!table.columns.empty() && table.rows > 0, "no table");
  for (const io::RawColumn& column : table.columns) {
    std::size_t missing = 0;
    if (column.kind == io::CellKind::text) {
      require_contract(column.codes.size() == table.rows, "codes do not match the rows");
      for (const std::uint32_t code : column.codes) {
        missing += code == io::RawColumn::kMissing ? 1 : 0;
        require_contract(code == io::RawColumn::kMissing || code < column.levels.size(),
                         "a code without level");
      }
    } else {
      require_contract(column.numbers.size() == table.rows, "numbers do not match the rows");
      for (const double value : column.numbers) missing += std::isnan(value) ? 1 : 0;
    }
    require_contract(missing == column.missing, "missing cells are miscounted");
  }
}

/// Small enough that what a file claims cannot fill the memory of a fuzzer.
constexpr std::uint64_t kMostUnpacked = 1 << 22;

bool table_accepted(std::span<const std::byte> bytes, const char* name, io::Format format) {
  try {
    const io::LoadOptions options{
        .format = format, .threads = 1, .max_unpacked_bytes = kMostUnpacked};
    check(io::parse_input(bytes, name, options).table.value());
    return true;
  } catch (const IoError& error) {
    require_contract(std::string_view(error.what()).find(name) != std::string_view::npos,
                     "a message does not name its file");
    return false;
  }
}

std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// A ZIP file that packs nothing.
std::string stored_zip(const std::vector<std::pair<std::string, std::string_view>>& files) {
  std::string zip, directory;
  for (const auto& [name, content] : files) {
    const std::string sizes = little_endian(crc_of(content), 4) + little_endian(content.size(), 4) +
                              little_endian(content.size(), 4) + little_endian(name.size(), 2) +
                              little_endian(0, 2);
    const std::string head = little_endian(20, 2) + std::string(8, '\0') + sizes;
    directory += "PK\x01\x02" + little_endian(20, 2) + head + std::string(10, '\0') +
                 little_endian(zip.size(), 4) + name;
    zip += "PK\x03\x04" + head + name;
    zip += content;
  }
  const std::string counts = little_endian(files.size(), 2) + little_endian(files.size(), 2);
  const std::string end = "PK\x05\x06" + std::string(4, '\0') + counts +
                          little_endian(directory.size(), 4) + little_endian(zip.size(), 4) +
                          std::string(2, '\0');
  return zip + directory + end;
}

/// A workbook of the parts in `bytes`, with zeros between: sheet, shared strings, styles. The
/// archive would keep a fuzzer from them, because its checksums change with every byte.
std::string stored_workbook(std::string_view bytes) {
  std::array<std::string_view, 3> parts;
  for (std::string_view& part : parts) {
    part = bytes.substr(0, bytes.find('\0'));
    bytes.remove_prefix(std::min(part.size() + 1, bytes.size()));
  }
  return stored_zip({{"xl/workbook.xml", "<workbook><sheet name=\"a\" r:id=\"1\"/></workbook>"},
                     {"xl/_rels/workbook.xml.rels", "<Relationship Id=\"1\" Target=\"s.xml\"/>"},
                     {"xl/s.xml", parts[0]},
                     {"xl/sharedStrings.xml", parts[1]},
                     {"xl/styles.xml", parts[2]}});
}

/// Takes the first byte off: it chooses among the options of a parser.
unsigned take_choice(std::span<const std::byte>& bytes) {
  if (bytes.empty()) return 0;
  const auto choice = static_cast<unsigned>(bytes.front());
  bytes = bytes.subspan(1);
  return choice;
}

}  // namespace

bool feed_csv(std::span<const std::byte> bytes) {
  const unsigned choice = take_choice(bytes);
  io::LoadOptions options{.format = io::Format::csv, .threads = 1};
  options.header = static_cast<io::Header>(choice % 3);
  constexpr std::string_view kDelimiters("\0,\t; |", 6);
  options.delimiter = kDelimiters[choice / 3 % kDelimiters.size()];
  if ((choice & 32) != 0) options.label_column = "2";
  if ((choice & 64) != 0) options.weight_column = "3";
  if ((choice & 128) != 0) options.columns = {"1"};
  return accepted(bytes, "fuzz.csv", options);
}

bool feed_npy(std::span<const std::byte> bytes) {
  const unsigned choice = take_choice(bytes);
  io::LoadOptions options{.format = io::Format::npy};
  if ((choice & 1) != 0) options.label_column = "1";
  if ((choice & 2) != 0) options.weight_column = "2";
  return accepted(bytes, "fuzz.npy", options);
}

bool feed_npz(std::span<const std::byte> bytes) {
  const unsigned choice = take_choice(bytes);
  io::LoadOptions options{.format = io::Format::npz};
  if ((choice & 1) != 0) options.label_column = "y";
  if ((choice & 2) != 0) options.weight_column = "w";
  return accepted(bytes, "fuzz.npz", options);
}

bool feed_idx(std::span<const std::byte> bytes) {
  return accepted(bytes, "fuzz.idx", {.format = io::Format::idx});
}

bool feed_gzip(std::span<const std::byte> bytes) {
  return accepted(bytes, "fuzz.gz", {.threads = 1, .max_unpacked_bytes = 1 << 22});
}

bool feed_png(std::span<const std::byte> bytes) {
  return accepted(bytes, "fuzz.png",
                  {.format = io::Format::png, .tiles = {.width = 1, .height = 1}});
}

bool feed_jpeg(std::span<const std::byte> bytes) {
  return accepted(bytes, "fuzz.jpg",
                  {.format = io::Format::jpeg, .tiles = {.width = 1, .height = 1}});
}

bool feed_sheet(std::span<const std::byte> bytes) {
  const unsigned size = take_choice(bytes), grid = take_choice(bytes);
  const io::LoadOptions options{.pixel_scale = io::PixelScale::byte,
                                .channels = grid % 3 == 2 ? 3u : grid % 3,
                                .tiles = {.width = 1 + size % 16,
                                          .height = 1 + size / 16,
                                          .columns = grid / 3 % 8,
                                          .count = grid / 24}};
  return accepted(bytes, "fuzz.sheet", options);
}

bool feed_labels(std::span<const std::byte> bytes) {
  constexpr std::array<const char*, 4> kNames = {"fuzz.txt", "fuzz.csv", "fuzz.tsv", "fuzz.npy"};
  const char* const name = kNames[take_choice(bytes) % kNames.size()];
  try {
    const io::Labels labels = io::parse_labels(bytes, name);
    require_contract(labels.size() > 0, "no labels");
    check(labels);
    return true;
  } catch (const IoError& error) {
    require_contract(std::string_view(error.what()).find(name) != std::string_view::npos,
                     "a message does not name its file");
    return false;
  }
}

bool feed_record(std::span<const std::byte> bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    const std::string written = record::to_json(record::from_json(text, "fuzz.json"));
    require_contract(record::to_json(record::from_json(written)) == written,
                     "a record changes when it is written and read");
    return true;
  } catch (const IoError& error) {
    require_contract(std::string_view(error.what()).starts_with("fuzz.json: "),
                     "a message does not name its file");
    return false;
  }
}

bool feed_safetensors(std::span<const std::byte> bytes) {
  try {
    const io::TensorFile file = io::parse_safetensors(bytes, "fuzz.safetensors");
    std::vector<io::TensorView> views;
    for (const io::Tensor& tensor : file.tensors) {
      std::uint64_t elements = 1;
      for (const std::uint64_t extent : tensor.shape) elements *= extent;
      require_contract(tensor.size() == elements && tensor.to_doubles().size() == elements,
                       "the shape does not match the data");
      views.push_back(tensor.view());
    }
    std::string written = io::safetensors_header(views, file.metadata);
    for (const io::TensorView& view : io::safetensors_order(views)) {
      written.append(reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size());
    }
    const io::TensorFile again =
        io::parse_safetensors(std::as_bytes(std::span(written)), "written");
    require_contract(again.metadata == file.metadata, "metadata change when they are written");
    for (const io::Tensor& tensor : file.tensors) {
      const io::Tensor* const same = again.find(tensor.name);
      require_contract(same != nullptr && same->type == tensor.type &&
                           same->shape == tensor.shape && same->bytes == tensor.bytes,
                       "a tensor changes when it is written and read");
    }
    return true;
  } catch (const IoError& error) {
    require_contract(std::string_view(error.what()).starts_with("fuzz.safetensors: "),
                     "a message does not name its file");
    return false;
  }
}

bool feed_json(std::span<const std::byte> bytes) {
  return table_accepted(bytes, "fuzz.json", io::Format::json);
}

bool feed_arff(std::span<const std::byte> bytes) {
  return table_accepted(bytes, "fuzz.arff", io::Format::arff);
}

bool feed_parquet(std::span<const std::byte> bytes) {
  return table_accepted(bytes, "fuzz.parquet", io::Format::parquet);
}

bool feed_arrow(std::span<const std::byte> bytes) {
  return table_accepted(bytes, "fuzz.arrow", io::Format::arrow);
}

bool feed_xlsx(std::span<const std::byte> bytes) {
  const std::string workbook =
      stored_workbook({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return table_accepted(std::as_bytes(std::span(workbook)), "fuzz.xlsx", io::Format::xlsx);
}

bool feed_table(std::span<const std::byte> bytes) {
  const unsigned choice = take_choice(bytes);
  io::LoadOptions options{
      .format = io::Format::csv, .threads = 1, .max_unpacked_bytes = kMostUnpacked};
  options.header = static_cast<io::Header>(choice % 3);
  constexpr std::string_view kDelimiters("\0,\t; |", 6);
  options.delimiter = kDelimiters[choice / 3 % kDelimiters.size()];
  table::TableOptions how;
  how.scale = static_cast<table::Scale>((choice >> 5) % 4);
  how.missing = (choice & 128) != 0 ? table::Missing::drop : table::Missing::keep;
  try {
    const io::RawTable raw = io::parse_input(bytes, "fuzz.csv", options).table.value();
    check(raw);
    const table::Inputs inputs = table::encode_tables(raw, nullptr, how);
    check(inputs.x);
    const table::Encoding& encoding = *inputs.encoding;
    require_contract(encoding.dimension() == inputs.x.dimension(), "coordinates are miscounted");
    require_contract(table::encoding_from_json(table::to_json(encoding), "json") == encoding,
                     "an encoding changes when it is written and read");
    check(encoding.decode(inputs.x.values));
    require_contract(!table::summary_lines(inputs.description).empty(), "nothing is said");
    return true;
  } catch (const IoError& error) {
    require_contract(std::string_view(error.what()).find("fuzz.csv") != std::string_view::npos,
                     "a message does not name its file");
    return false;
  }
}

bool feed_container(std::span<const std::byte> bytes) {
  try {
    const io::LoadOptions options{.threads = 1, .max_unpacked_bytes = kMostUnpacked};
    const io::LoadedInput input = io::parse_input(bytes, "fuzz.zip", options);
    if (input.table) check(*input.table);
    if (input.points) check(*input.points);
    return true;
  } catch (const IoError& error) {
    require_contract(std::string_view(error.what()).find("fuzz.zip") != std::string_view::npos,
                     "a message does not name its file");
    return false;
  }
}

}  // namespace nw::fuzz
