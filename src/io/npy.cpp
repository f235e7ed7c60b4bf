// NumPy's array files, format versions 1 to 3 (numpy.lib.format describes them).
#include "io/npy.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "nw/io/pixels.hpp"

#include "io/column_choice.hpp"
#include "io/failure.hpp"
#include "io/readers.hpp"
#include "io/table_columns.hpp"

namespace nw::io {
namespace {

constexpr std::size_t kLargestHeader = 1 << 20;

/// Reads the Python dictionary literal of a header. Accepts its keys in any order.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  NpyHeader parse() {
    expect('{');
    bool descr = false, order = false, shape = false;
    NpyHeader header;
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        header.descr = description();
        descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        order = true;
      } else if (key == "shape") {
        header.shape = tuple();
        shape = true;
      } else {
        broken(concat("unknown key ", shown(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (!descr || !order || !shape) broken("descr, fortran_order or shape is missing");
    return header;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) broken(concat("expected '", c, "'"));
  }
  std::string string() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t close =
        quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (close == std::string_view::npos) broken("expected a string");
    std::string result(text_.substr(at_ + 1, close - at_ - 1));
    at_ = close + 1;
    return result;
  }
  std::string description() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[') {
      fail(file_,
           "holds records (a structured type), not numbers; save its columns as a plain array");
    }
    return string();
  }
  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    broken("expected True or False");
  }
  std::vector<std::uint64_t> tuple() {
    expect('(');
    std::vector<std::uint64_t> values;
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t value = 0;
      const char* const begin = text_.data() + at_;
      const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
      if (error != std::errc{}) broken("expected a whole number of at most 64 bits");
      at_ += static_cast<std::size_t>(stop - begin);
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }
  [[noreturn]] void broken(const std::string& why) const {
    fail(file_, "broken NPY header: ", why, " at character ", at_, ", found ",
         shown(text_.substr(std::min(at_, text_.size()))));
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

std::optional<ElementType> element_type(std::string_view name) {
  using enum ElementType;
  constexpr std::array<std::pair<std::string_view, ElementType>, 12> kTypes = {{{"b1", b1},
                                                                                {"u1", u1},
                                                                                {"i1", i1},
                                                                                {"u2", u2},
                                                                                {"i2", i2},
                                                                                {"u4", u4},
                                                                                {"i4", i4},
                                                                                {"u8", u8},
                                                                                {"i8", i8},
                                                                                {"f2", f2},
                                                                                {"f4", f4},
                                                                                {"f8", f8}}};
  for (const auto& [text, type] : kTypes) {
    if (text == name) return type;
  }
  return {};
}

}  // namespace

NpyHeader read_npy_header(ByteStream& stream) {
  const std::string& file = stream.name();
  std::array<char, 8> start;
  stream.read_exactly(start.data(), start.size(), "the NPY signature");
  if (std::string_view(start.data(), kNpyMagic.size()) != kNpyMagic) {
    fail(file, "is not an NPY file: it begins with ", shown({start.data(), start.size()}));
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3)
    fail(file, "NPY format version ", version, " at byte 6 is unknown");
  std::array<char, 4> length_bytes{};
  const std::size_t length_size = version == 1 ? 2 : 4;
  stream.read_exactly(length_bytes.data(), length_size, "the header length");
  const std::uint64_t length = little_endian({length_bytes.data(), length_size});
  if (length > kLargestHeader || length > stream.remaining_at_most()) {
    fail(file, "the NPY header at byte ", stream.position(), " claims ", length,
         " bytes; the file is truncated or broken");
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  stream.read_exactly(text.data(), text.size(), "the NPY header");
  return HeaderParser(text, file).parse();
}

ArrayLayout numeric_layout(const NpyHeader& header, const std::string& file) {
  const std::string_view descr = header.descr;
  const auto type = descr.empty() ? std::nullopt : element_type(descr.substr(1));
  const bool known_order =
      !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  if (!type || !known_order) {
    fail(file, "holds values of type ", shown(header.descr),
         "; nw reads bool, integers of 8 to 64 bits, f2, f4 and f8: convert with astype(float)");
  }
  return {.type = *type,
          .big_endian = descr[0] == '>',
          .column_major = header.fortran_order,
          .shape = header.shape};
}

PointSet read_npy(ByteStream& stream, const LoadOptions& options) {
  const ArrayLayout layout = numeric_layout(read_npy_header(stream), stream.name());
  if (layout.shape.empty()) {
    fail(stream.name(), "holds a single number (shape ()), not an array of points");
  }
  PointSet result;
  result.values = read_elements(stream, layout);
  result.image = image_shape_of(layout.shape);
  result.source = concat(stream.name(), " (NPY)");
  stream.expect_end();
  take_columns(result, options, stream.name());
  if (result.image && options.pixel_scale == PixelScale::unit) bring_pixels_to_unit(result);
  return result;
}

}  // namespace nw::io
