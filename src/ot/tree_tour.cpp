#include "ot/tree_tour.hpp"

#include <algorithm>
#include <utility>

namespace nw::ot {

TreeTour::TreeTour(std::size_t sources, std::size_t nodes)
    : sources_(static_cast<std::int32_t>(sources)),
      first_node_(static_cast<std::int32_t>(2 * nodes)),
      places_(nodes),
      pass_block_(2 * nodes, -1),
      buffer_(kCopied) {}

void TreeTour::build(std::span<const std::int32_t> parent) {
  const std::size_t nodes = places_.size();
  const auto root = static_cast<std::int32_t>(nodes - 1);
  std::vector<std::int32_t> child(nodes, -1), next(nodes, -1);
  for (std::int32_t x = 0; x < root; ++x) {
    next[at(x)] = child[at(parent[at(x)])];
    child[at(parent[at(x)])] = x;
  }
  blocks_.clear();
  shift_.clear();
  entries_.clear();
  free_.clear();
  first_ = -1;
  std::int32_t block = -1;
  const auto put = [&](std::int32_t entry) {
    // Blocks start half full, which leaves room for what moves in.
    if (block < 0 || blocks_[at(block)].size == kCapacity / 2) block = new_block(block);
    append(block, entry);
  };
  for (Place& place : places_) place.potential = 0.0;
  put(entry_of(root));
  for (std::int32_t x = root;;) {
    if (child[at(x)] >= 0) {  // down
      const std::int32_t down = child[at(x)];
      child[at(x)] = next[at(down)];
      put(2 * down);
      put(entry_of(down));
      x = down;
    } else if (x != root) {  // up
      put(2 * x + 1);
      x = parent[at(x)];
    } else {
      break;
    }
  }
}

std::size_t TreeTour::offset_of(std::int32_t entry) const {
  const std::int32_t* const begin = entries_.data() + at(block_of(entry)) * kCapacity;
  // Strips without a branch inside, so that the compiler compares several entries at once. What
  // lies beyond the size of a block may be anything, but the entry itself comes first.
  constexpr std::size_t kStrip = 16;
  for (std::size_t strip = 0;; strip += kStrip) {
    std::int32_t found = 0;
    for (std::size_t k = 0; k < kStrip; ++k) found |= begin[strip + k] == entry ? 1 : 0;
    if (found == 0) continue;
    std::size_t k = strip;
    while (begin[k] != entry) ++k;
    return k;
  }
}

void TreeTour::settle(const std::int32_t* entries, std::size_t count, std::int32_t block,
                      double extra) {
  const double source_change = extra - shift_[at(block)];
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_node(entries[k])) {
      pass_block_[at(entries[k])] = block;
      continue;
    }
    const std::int32_t node = entries[k] - first_node_;
    Place& place = places_[at(node)];
    place.potential += node < sources_ ? source_change : -source_change;
    place.block = block;
  }
}

std::int32_t TreeTour::new_block(std::int32_t after) {
  std::int32_t block = static_cast<std::int32_t>(blocks_.size());
  if (free_.empty()) {
    blocks_.emplace_back();
    shift_.push_back(0.0);
    entries_.resize(entries_.size() + kCapacity);
  } else {
    block = free_.back();
    free_.pop_back();
    blocks_[at(block)].size = 0;
  }
  if (after < 0) {
    first_ = block;
    return block;
  }
  const std::int32_t before = blocks_[at(after)].next;
  link(after, block);
  link(block, before);
  return block;
}

void TreeTour::link(std::int32_t a, std::int32_t b) {
  blocks_[at(a)].next = b;
  if (b >= 0) blocks_[at(b)].previous = a;
}

void TreeTour::drop_block(std::int32_t block) {
  link(blocks_[at(block)].previous, blocks_[at(block)].next);
  free_.push_back(block);
}

void TreeTour::append(std::int32_t block, std::int32_t entry) {
  if (blocks_[at(block)].size == kCapacity) {
    const double shift = shift_[at(block)];
    block = new_block(block);
    shift_[at(block)] = shift;
  }
  entries(block)[blocks_[at(block)].size++] = entry;
  if (is_node(entry)) {
    places_[at(entry - first_node_)].block = block;
  } else {
    pass_block_[at(entry)] = block;
  }
}

std::int32_t TreeTour::remove_last_of(std::int32_t entry) {
  const std::int32_t block = block_of(entry), previous = blocks_[at(block)].previous;
  if (--blocks_[at(block)].size > 0) return entries(block)[blocks_[at(block)].size - 1];
  drop_block(block);  // never the first of all, where the root stands
  return entries(previous)[blocks_[at(previous)].size - 1];
}

void TreeTour::cut_after(std::int32_t entry) {
  const std::int32_t left = block_of(entry);
  const std::size_t offset = offset_of(entry) + 1, size = blocks_[at(left)].size;
  if (offset == size) return;
  // The larger part stays where it is.
  if (size - offset <= offset || left == first_) {
    const std::int32_t right = new_block(left);
    shift_[at(right)] = shift_[at(left)];
    std::copy_n(entries(left) + offset, size - offset, entries(right));
    blocks_[at(left)].size = static_cast<std::uint32_t>(offset);
    blocks_[at(right)].size = static_cast<std::uint32_t>(size - offset);
    for (std::size_t k = 0; k < size - offset; ++k) {
      const std::int32_t moved = entries(right)[k];
      (is_node(moved) ? places_[at(moved - first_node_)].block : pass_block_[at(moved)]) = right;
    }
  } else {
    const std::int32_t front = new_block(blocks_[at(left)].previous);
    shift_[at(front)] = shift_[at(left)];
    std::copy_n(entries(left), offset, entries(front));
    std::copy(entries(left) + offset, entries(left) + size, entries(left));
    blocks_[at(front)].size = static_cast<std::uint32_t>(offset);
    blocks_[at(left)].size = static_cast<std::uint32_t>(size - offset);
    for (std::size_t k = 0; k < offset; ++k) {
      const std::int32_t moved = entries(front)[k];
      (is_node(moved) ? places_[at(moved - first_node_)].block : pass_block_[at(moved)]) = front;
    }
  }
}

void TreeTour::merge_with_next(std::int32_t block) {
  const std::int32_t next = blocks_[at(block)].next;
  if (next < 0) return;
  const std::size_t mine = blocks_[at(block)].size, theirs = blocks_[at(next)].size;
  if (mine + theirs > kMerge) return;
  if (theirs <= mine || block == first_) {
    std::copy_n(entries(next), theirs, entries(block) + mine);
    settle(entries(next), theirs, block, shift_[at(next)]);
    blocks_[at(block)].size = static_cast<std::uint32_t>(mine + theirs);
    drop_block(next);
  } else {
    std::copy_backward(entries(next), entries(next) + theirs, entries(next) + theirs + mine);
    std::copy_n(entries(block), mine, entries(next));
    settle(entries(block), mine, next, shift_[at(block)]);
    blocks_[at(next)].size = static_cast<std::uint32_t>(mine + theirs);
    drop_block(block);
  }
}

TreeTour::Run TreeTour::run(std::int32_t enter, std::int32_t node) const {
  const std::int32_t leave = enter ^ 1, wanted = entry_of(node);
  Run run{enter, block_of(enter), offset_of(enter), 0, false};
  std::size_t seen = 0, offset = run.offset;
  for (std::int32_t block = run.block; seen < kCopied; block = blocks_[at(block)].next) {
    const std::int32_t* const entry = entries_.data() + at(block) * kCapacity;
    const std::size_t end = std::min<std::size_t>(blocks_[at(block)].size, offset + kCopied - seen);
    for (std::size_t k = offset; k < end; ++k) {
      run.holds = run.holds || entry[k] == wanted;
      if (entry[k] != leave) continue;
      run.entries = seen + (k - offset) + 1;
      return run;
    }
    seen += end - offset;
    offset = 0;
  }
  return run;
}

void TreeTour::move(const Run& run, std::int32_t top, std::int32_t parent, double shift) {
  if (run.entries > 0) {
    move_copies(run, top, parent, shift);
  } else {
    move_blocks(run.enter, top, parent, shift);
  }
}

void TreeTour::move_copies(const Run& run, std::int32_t top, std::int32_t parent, double shift) {
  // Out of the blocks they are in ...
  const std::size_t count = run.entries;
  std::int32_t block = run.block;
  std::size_t offset = run.offset;
  for (std::size_t taken = 0; taken < count;) {
    const std::size_t size = blocks_[at(block)].size;
    const std::size_t part = std::min(count - taken, size - offset);
    std::int32_t* const from = entries(block) + offset;
    std::copy_n(from, part, buffer_.begin() + static_cast<std::ptrdiff_t>(taken));
    const double leaves = shift + shift_[at(block)];
    for (std::size_t k = 0; k < part; ++k) {
      if (!is_node(from[k])) continue;
      const std::int32_t node = from[k] - first_node_;
      places_[at(node)].potential += node < sources_ ? leaves : -leaves;
    }
    std::copy(from + part, entries(block) + size, from);
    blocks_[at(block)].size = static_cast<std::uint32_t>(size - part);
    taken += part;
    const std::int32_t next = blocks_[at(block)].next;
    if (size == part) {
      drop_block(block);
    } else if (taken == count) {
      merge_with_next(block);
    }
    block = next;
    offset = 0;
  }
  // ... turned around, so that `top` comes first ...
  const auto inner = buffer_.begin() + 1;
  const auto end = buffer_.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::rotate(inner, std::find(inner, end, entry_of(top)), end);
  // ... and in again behind the new parent.
  const std::int32_t behind = entry_of(parent);
  std::int32_t home = block_of(behind);
  if (blocks_[at(home)].size + count > kCapacity) {
    cut_after(behind);
    home = block_of(behind);
    if (blocks_[at(home)].size + count > kCapacity) {
      home = new_block(home);
      shift_[at(home)] = 0.0;
    }
  }
  const std::size_t size = blocks_[at(home)].size;
  std::int32_t* const to = entries(home) + (block_of(behind) == home ? offset_of(behind) + 1 : 0);
  std::copy_backward(to, entries(home) + size, entries(home) + size + count);
  std::copy_n(buffer_.begin(), count, to);
  blocks_[at(home)].size = static_cast<std::uint32_t>(size + count);
  settle(to, count, home, 0.0);
}

void TreeTour::move_blocks(std::int32_t enter, std::int32_t top, std::int32_t parent,
                           double shift) {
  // Take the two passes above the subtree out, with a cut behind each: what lies between them then
  // is a run of whole blocks. Cuts and merges change which block is which, entries stay the same.
  const std::int32_t leave = enter ^ 1, turn = entry_of(top);
  cut_after(enter);
  const std::int32_t first = entries(blocks_[at(block_of(enter))].next)[0];
  const std::int32_t outside = remove_last_of(enter);
  cut_after(leave);
  const std::int32_t last = remove_last_of(leave);
  if (const std::size_t offset = offset_of(turn); offset > 0) {
    cut_after(entries(block_of(turn))[offset - 1]);
  }
  cut_after(entry_of(parent));

  const std::int32_t front = block_of(first), back = block_of(last), start = block_of(turn);
  const std::int32_t middle = blocks_[at(start)].previous;
  link(blocks_[at(front)].previous, blocks_[at(back)].next);
  const std::int32_t home = block_of(entry_of(parent)), beyond = blocks_[at(home)].next;
  std::int32_t end = back;
  link(home, start);
  if (start != front) {
    link(back, front);
    end = middle;
  }
  link(end, beyond);

  shift_blocks(start, beyond, shift);
  append(end, leave);
  append(home, enter);
  for (const std::int32_t seam : {outside, enter, last, leave}) merge_with_next(block_of(seam));
}

void TreeTour::shift_blocks(std::int32_t start, std::int32_t beyond, double shift) {
  // Only sums of a source's and a target's potential matter: shifting all the rest the other way
  // does the same. Walking along both tells which are fewer.
  std::int32_t inside = start, outside = first_;
  while (inside != beyond) {
    if (outside == start) outside = beyond;
    if (outside < 0) break;
    inside = blocks_[at(inside)].next;
    outside = blocks_[at(outside)].next;
  }
  if (inside == beyond) {
    for (std::int32_t b = start; b != beyond; b = blocks_[at(b)].next) shift_[at(b)] += shift;
  } else {
    for (std::int32_t b = first_; b != start; b = blocks_[at(b)].next) shift_[at(b)] -= shift;
    for (std::int32_t b = beyond; b >= 0; b = blocks_[at(b)].next) shift_[at(b)] -= shift;
  }
}

void TreeTour::clear_shifts() {
  std::fill(shift_.begin(), shift_.end(), 0.0);
}

}  // namespace nw::ot
