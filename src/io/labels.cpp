#include "nw/io/labels.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "io/failure.hpp"
#include "io/idx.hpp"
#include "io/label_column.hpp"
#include "io/npy.hpp"
#include "io/readers.hpp"
#include "io/recognise.hpp"
#include "io/table_columns.hpp"

namespace nw::io {
namespace {

std::string_view without_blanks(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// One label per line, taken as it stands.
Labels read_label_lines(ByteStream& stream, const LoadOptions& options) {
  LabelColumn labels;
  std::string text;
  std::size_t line = 0, begin = 0;
  for (bool ended = false; !ended;) {
    constexpr std::size_t kBlock = 1 << 16;
    text.erase(0, begin);
    const std::size_t kept = text.size();
    text.resize(kept + kBlock);
    const std::size_t got = stream.read(text.data() + kept, kBlock);
    text.resize(kept + got);
    ended = got < kBlock;
    if (stream.position() > options.max_unpacked_bytes || text.size() > (16 * kBlock)) {
      fail(stream.name(), "line ", line + 1, " is too long for a list of labels");
    }
    begin = 0;
    for (;;) {
      const std::size_t newline = text.find('\n', begin);
      if (newline == std::string::npos && (!ended || begin == text.size())) break;
      const std::string_view label =
          without_blanks(std::string_view(text).substr(begin, newline - begin));
      ++line;
      begin = newline == std::string::npos ? text.size() : newline + 1;
      const bool last = ended && begin == text.size();
      if (!label.empty()) {
        labels.add(label);
      } else if (!last) {
        fail(stream.name(), "line ", line, " is blank; every point needs a label");
      }
    }
  }
  if (labels.size() == 0) fail(stream.name(), "is empty; give one label per line");
  return labels.finish();
}

void append_utf8(std::string& text, std::uint32_t code, const std::string& file) {
  const auto byte = [](std::uint32_t value) { return static_cast<char>(value); };
  if (code < 0x80) {
    text += byte(code);
  } else if (code < 0x800) {
    text += {byte(0xc0 | code >> 6), byte(0x80 | (code & 63))};
  } else if (code < 0x10000) {
    text += {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
  } else if (code < 0x110000) {
    text += {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)),
             byte(0x80 | (code & 63))};
  } else {
    fail(file, "a label holds ", code, ", which is not a Unicode character");
  }
}

/// NumPy arrays of text: S (bytes) and U (UTF-32), padded with zeros to one length.
Labels read_npy_text(ByteStream& stream, const NpyHeader& header) {
  const std::string& file = stream.name();
  const bool wide = header.descr[1] == 'U';
  std::size_t length = 0;
  const char* const digits = header.descr.data() + 2;
  const char* const end = header.descr.data() + header.descr.size();
  const auto [stop, error] = std::from_chars(digits, end, length);
  if (error != std::errc{} || stop != end || length == 0 || length > 4096) {
    fail(file, "labels of type ", shown(header.descr), " have no usable length");
  }
  const std::size_t bytes = length * (wide ? 4 : 1);
  const std::uint64_t count = header.shape.front();
  if (count > stream.remaining_at_most() / bytes) {
    fail(file, "the header claims ", count, " labels of ", bytes, " bytes, and only ",
         stream.remaining_at_most(), " bytes can follow; the file is truncated");
  }
  LabelColumn labels;
  std::string raw(bytes, '\0');
  for (std::uint64_t i = 0; i < count; ++i) {
    stream.read_exactly(raw.data(), bytes, "a label");
    std::string text;
    for (std::size_t k = 0; k < length; ++k) {
      std::uint32_t code = 0;
      const std::size_t width = wide ? 4 : 1;
      for (std::size_t b = 0; b < width; ++b) {
        const std::size_t place = header.descr[0] == '>' ? b : width - 1 - b;
        code = code << 8 | static_cast<unsigned char>(raw[k * width + place]);
      }
      if (code == 0) break;
      if (wide) {
        append_utf8(text, code, file);
      } else {
        text += static_cast<char>(code);
      }
    }
    if (text.empty()) fail(file, "label ", i + 1, " is empty; every point needs one");
    labels.add(text);
  }
  return labels.finish();
}

Labels read_idx_labels(ByteStream& stream) {
  const ArrayLayout layout = read_idx_header(stream);
  if (layout.shape.size() != 1) {
    fail(stream.name(), "is an idx file of ", layout.shape.size(),
         " dimensions, which holds points; a label file has one");
  }
  Labels labels = labels_from_numbers(read_elements(stream, layout).values(), stream.name());
  stream.expect_end();
  return labels;
}

Labels read_labels(const ByteSource& source) {
  LoadOptions options;
  if (source.size() == 0) fail(source.name(), "is empty; give one label per point");
  const std::string name = plain_name(source.name());
  switch (recognise(first_bytes_of(source), name)) {
    case Format::npy:
      return read_npy_labels(*content_of(source));
    case Format::idx:
      return read_idx_labels(*content_of(source));
    case Format::npz:
    case Format::png:
    case Format::jpeg:
    case Format::image_folder:
    case Format::parquet:
    case Format::arrow:
    case Format::xlsx:
      fail(source.name(), "is not a label file; nw reads labels from idx, NPY, CSV and text");
    case Format::automatic:
    case Format::csv:
    case Format::json:
    case Format::arff:
      break;
  }
  if (name.ends_with(".tsv")) options.delimiter = '\t';
  if (name.ends_with(".csv") || name.ends_with(".tsv")) {
    return read_label_table(*content_of(source), options);
  }
  return read_label_lines(*content_of(source), options);
}

}  // namespace

Labels read_npy_labels(ByteStream& stream) {
  const NpyHeader header = read_npy_header(stream);
  const std::string& file = stream.name();
  const bool flat = header.shape.size() == 1 || (header.shape.size() == 2 && header.shape[1] == 1);
  if (!flat) {
    fail(file, "holds an array of ", header.shape.size(), " dimensions; labels need one");
  }
  if (header.shape.front() == 0) fail(file, "holds no labels");
  const bool text = header.descr.size() > 2 && (header.descr[1] == 'U' || header.descr[1] == 'S');
  Labels labels = text ? read_npy_text(stream, header)
                       : labels_from_numbers(
                             read_elements(stream, numeric_layout(header, file)).values(), file);
  stream.expect_end();
  return labels;
}

std::string Labels::name_of(std::size_t i) const {
  const std::int32_t value = values.at(i);
  return names.empty() ? std::to_string(value) : names.at(static_cast<std::size_t>(value));
}

void unify(Labels& a, Labels& b) {
  if (a.names == b.names) return;
  std::set<std::string> all;
  for (const Labels* labels : {&a, &b}) {
    for (std::size_t i = 0; i < labels->size(); ++i) all.insert(labels->name_of(i));
    all.insert(labels->names.begin(), labels->names.end());
  }
  const std::vector<std::string> names(all.begin(), all.end());
  for (Labels* labels : {&a, &b}) {
    for (std::size_t i = 0; i < labels->size(); ++i) {
      const auto place = std::ranges::lower_bound(names, labels->name_of(i));
      labels->values[i] = static_cast<std::int32_t>(place - names.begin());
    }
  }
  for (Labels* labels : {&a, &b}) labels->names = names;
}

Labels load_labels(const std::filesystem::path& path) {
  return read_labels(*open_file(path, LoadOptions{}.max_unpacked_bytes));
}

Labels parse_labels(std::span<const std::byte> bytes, std::string_view name) {
  return read_labels(*view_memory(bytes, std::string(name)));
}

}  // namespace nw::io
