// Potentials of the nodes of a changing tree, kept along an Euler tour so that the potentials of a
// whole subtree change at the price of a few cache lines.
//
// The tour walks around the tree and passes every arc twice, once each way, and names every node
// once. A subtree is a run of the tour, between the two passes of the arc above it; to move its
// root elsewhere turns that run around like a ring, and to hang it below another node moves it in
// one piece (Henzinger and King 1999). The tour is a list of blocks of up to kCapacity entries.
// Each block has a shift that counts for all its nodes, so a change of a run costs one addition
// per block, with cuts at its ends: O(sqrt(n)) for a run of any length, where rewriting the nodes
// costs O(length) and mostly cache misses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nw::ot {

class TreeTour {
 public:
  /// Nodes below `sources` are sources: shifts are added to them and subtracted from the others.
  TreeTour(std::size_t sources, std::size_t nodes);

  /// Lays the tour of a tree out; `parent` of the root, its last node, is not looked at. Potentials
  /// are zero afterwards. Node x is entered by pass 2 x and left by pass 2 x + 1.
  void build(std::span<const std::int32_t> parent);

  [[nodiscard]] double source_potential(std::size_t node) const {
    return places_[node].potential + shift_[at(places_[node].block)];
  }
  [[nodiscard]] double target_potential(std::size_t node) const {
    return places_[node].potential - shift_[at(places_[node].block)];
  }
  /// Sum of the potentials of a source and a target.
  [[nodiscard]] double sum(std::size_t source, std::size_t target) const {
    const Place &a = places_[source], &b = places_[target];
    return (a.potential + b.potential) + (shift_[at(a.block)] - shift_[at(b.block)]);
  }

  /// The subtree that a pass leads into, as a run of the tour.
  struct Run {
    std::int32_t enter;
    std::int32_t block;
    std::size_t offset;   ///< of the pass in its block
    std::size_t entries;  ///< passes and nodes; 0 for a run too long to be looked through
    bool holds;           ///< whether `node` is below; not known for a long run
  };
  /// The cost is that of reading the run, and bounded for long ones.
  [[nodiscard]] Run run(std::int32_t enter, std::int32_t node) const;
  /// Takes the subtree of `run`, makes `top` its root, hangs it below `parent` (a node outside) by
  /// the same pass, and adds `shift` to its sources and -`shift` to its targets. REQUIRES: nothing
  /// moved since run().
  void move(const Run& run, std::int32_t top, std::int32_t parent, double shift);

  /// Calls visit(pass) for all passes in the order of the tour.
  template <typename Visit>
  void for_each_pass(Visit&& visit) const {
    for (std::int32_t b = first_; b >= 0; b = blocks_[at(b)].next) {
      const std::int32_t* const entries = entries_.data() + at(b) * kCapacity;
      for (std::size_t k = 0; k < blocks_[at(b)].size; ++k) {
        if (entries[k] < first_node_) visit(entries[k]);
      }
    }
  }
  void clear_shifts();
  /// REQUIRES: clear_shifts() was the last change.
  void set_potential(std::size_t node, double potential) { places_[node].potential = potential; }

 private:
  static constexpr std::size_t kCapacity = 1024;
  /// Neighbours that hold no more than this together are made one.
  static constexpr std::size_t kMerge = kCapacity / 2;
  /// Runs of up to this many entries are copied; longer ones are moved by their blocks.
  static constexpr std::size_t kCopied = kCapacity / 2;

  struct Place {
    double potential = 0.0;  ///< without the block's shift
    std::int32_t block = -1;
  };
  struct Block {
    std::int32_t next = -1, previous = -1;
    std::uint32_t size = 0;
  };

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  [[nodiscard]] bool is_node(std::int32_t entry) const { return entry >= first_node_; }
  [[nodiscard]] std::int32_t entry_of(std::int32_t node) const { return first_node_ + node; }
  std::int32_t* entries(std::int32_t block) { return entries_.data() + at(block) * kCapacity; }
  [[nodiscard]] std::int32_t block_of(std::int32_t entry) const {
    return is_node(entry) ? places_[at(entry - first_node_)].block : pass_block_[at(entry)];
  }
  /// Where in its block the entry stands.
  [[nodiscard]] std::size_t offset_of(std::int32_t entry) const;
  /// Puts entries that carry no shift any more into a block: their nodes get the negative of its
  /// shift, and `extra`.
  void settle(const std::int32_t* entries, std::size_t count, std::int32_t block, double extra);

  std::int32_t new_block(std::int32_t after);
  void drop_block(std::int32_t block);
  void link(std::int32_t a, std::int32_t b);
  /// Makes `entry` the last of its block.
  void cut_after(std::int32_t entry);
  void merge_with_next(std::int32_t block);
  void append(std::int32_t block, std::int32_t entry);
  /// Removes `entry`, the last of its block, and returns the one before it in the tour.
  std::int32_t remove_last_of(std::int32_t entry);
  void move_copies(const Run& run, std::int32_t top, std::int32_t parent, double shift);
  void move_blocks(std::int32_t enter, std::int32_t top, std::int32_t parent, double shift);
  /// Adds `shift` to the blocks from `start` to before `beyond`, or takes it from all others.
  void shift_blocks(std::int32_t start, std::int32_t beyond, double shift);

  std::int32_t sources_, first_node_;  ///< entries: passes first, then nodes
  std::int32_t first_ = -1;            ///< block of the list
  std::vector<Place> places_;          ///< of nodes
  std::vector<std::int32_t> pass_block_;
  std::vector<Block> blocks_;
  std::vector<double> shift_;  ///< of blocks
  std::vector<std::int32_t> entries_, free_, buffer_;
};

}  // namespace nw::ot
