#include "table/row_sample.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "table/encode_tables.hpp"
#include "table/raw_rows.hpp"

namespace nw::table {
namespace {

/// A number for each row, as if drawn at random: the finaliser of SplitMix64.
std::uint64_t draw_for(std::uint64_t file, std::uint64_t place) {
  std::uint64_t h = ((file << 40) + place + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

}  // namespace

std::size_t RowSample::most_rows() const {
  return std::max<std::size_t>(most_cells_ / std::max<std::size_t>(table_.columns.size(), 1), 1);
}

std::size_t RowSample::next_cells() const {
  if (most_cells_ == 0) return std::numeric_limits<std::size_t>::max();
  // The first block shows whether everything fits; later ones come on top of what is kept.
  return rows_read_ == 0 ? most_cells_ : most_cells_ / 4;
}

void RowSample::add(io::RawTable block) {
  const std::vector<bool> counters = row_counters(block);
  for (std::size_t i = 0; most_cells_ > 0 && i < block.rows; ++i) {
    draw_.push_back(draw_for(file_, rows_read_ + i));
  }
  const std::size_t rows = block.rows;
  if (rows_read_ == 0) {
    counters_ = counters;
    table_ = std::move(block);
  } else {
    append(std::move(block), true);
    for (std::size_t i = 0; rows > 0 && i < std::min(counters.size(), counters_.size()); ++i) {
      counters_[i] = counters_[i] && counters[i];
    }
  }
  rows_read_ += rows;
  thin_if_many();
}

void RowSample::merge(RowSample later) {
  if (rows_read_ == 0) {
    const std::size_t file = file_;
    *this = std::move(later);
    file_ = file;
    return;
  }
  const std::size_t rows = later.rows_read_;
  append(std::move(later.table_), false);
  if (rows == 0) return;
  draw_.insert(draw_.end(), later.draw_.begin(), later.draw_.end());
  for (std::size_t i = 0; i < std::min(later.counters_.size(), counters_.size()); ++i) {
    counters_[i] = counters_[i] && later.counters_[i];
  }
  rows_read_ += rows;
  thin_if_many();
}

void RowSample::append(io::RawTable more, bool same_file) {
  std::vector<std::string> notes = std::exchange(more.notes, {});
  for (std::string& note : notes) {
    if (!same_file) note = more.source + ": " + note;
    if (std::ranges::find(table_.notes, note) == table_.notes.end()) {
      table_.notes.push_back(std::move(note));
    }
  }
  if (more.rows > 0) append_table(table_, more);
}

void RowSample::thin_if_many() {
  // Thinning only when half of the rows would go keeps its cost proportional to the rows read.
  if (most_cells_ > 0 && table_.rows >= most_rows() + most_rows() / 2) thin();
}

void RowSample::thin() {
  const std::size_t most = most_rows();
  if (table_.rows <= most) return;
  std::vector<std::uint64_t> sorted = draw_;
  const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(most - 1);
  std::ranges::nth_element(sorted, last);
  const std::uint64_t bound = *last;
  std::vector<std::size_t> rows;
  rows.reserve(most);
  for (std::size_t i = 0; i < draw_.size(); ++i) {
    if (draw_[i] <= bound) rows.push_back(i);
  }
  keep_rows(table_, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) draw_[i] = draw_[rows[i]];
  draw_.resize(rows.size());
}

io::RawTable RowSample::take() {
  if (most_cells_ > 0) thin();
  return std::move(table_);
}

}  // namespace nw::table
