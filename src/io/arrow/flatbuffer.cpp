#include "io/arrow/flatbuffer.hpp"

#include "io/failure.hpp"

namespace nw::io::arrow {

void refuse_metadata(const std::string& file, std::string_view what) {
  fail(file, "damaged Arrow metadata: ", what, "; fetch or write the file again");
}

FlatTable::FlatTable(std::string_view buffer, const std::string& file)
    : buffer_(buffer), file_(&file) {
  *this = FlatTable(buffer, &file, load<std::uint32_t>(0));
}

FlatTable::FlatTable(std::string_view buffer, const std::string* file, std::size_t at)
    : buffer_(buffer), file_(file), at_(at) {
  const auto back = load<std::int32_t>(at);
  const auto vtable = static_cast<std::int64_t>(at) - back;
  if (vtable < 0) out_of_range();
  vtable_ = static_cast<std::size_t>(vtable);
  vtable_bytes_ = load<std::uint16_t>(vtable_);
  table_bytes_ = load<std::uint16_t>(vtable_ + 2);
  if (vtable_bytes_ < 4 || buffer.size() - vtable_ < vtable_bytes_ ||
      buffer.size() - at < table_bytes_) {
    out_of_range();
  }
}

std::size_t FlatTable::field(unsigned index) const {
  const std::size_t slot = 4 + 2 * std::size_t{index};
  if (!there() || slot + 2 > vtable_bytes_) return 0;
  const auto offset = load<std::uint16_t>(vtable_ + slot);
  if (offset == 0) return 0;
  if (offset >= table_bytes_) out_of_range();
  return at_ + offset;
}

std::size_t FlatTable::follow(std::size_t at) const {
  const std::size_t to = at + load<std::uint32_t>(at);
  if (to >= buffer_.size()) out_of_range();
  return to;
}

FlatTable FlatTable::table(unsigned index) const {
  const std::size_t at = field(index);
  return at == 0 ? FlatTable() : FlatTable(buffer_, file_, follow(at));
}

std::string_view FlatTable::text(unsigned index) const {
  const FlatVector bytes = vector(index, 1);
  return buffer_.substr(bytes.begin_, bytes.size());
}

FlatVector FlatTable::vector(unsigned index, std::size_t element_bytes) const {
  FlatVector found;
  found.element_bytes_ = element_bytes;
  const std::size_t at = field(index);
  if (at == 0) return found;
  const std::size_t begin = follow(at);
  found.size_ = load<std::uint32_t>(begin);
  found.begin_ = begin + 4;
  if (found.size_ > (buffer_.size() - found.begin_) / element_bytes) out_of_range();
  found.owner_ = *this;
  return found;
}

FlatTable FlatVector::table(std::size_t i) const {
  return {owner_.buffer_, owner_.file_, owner_.follow(begin_ + i * element_bytes_)};
}

}  // namespace nw::io::arrow
