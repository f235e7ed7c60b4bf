// What a comparison found, in the order in which people ask: what happened, who moved, how sure is
// that. The terminal, the page, Markdown and notebooks all tell this story.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// One component as a reader meets it.
struct ComponentInWords {
  std::size_t number = 1;  ///< counted from 1, as in every other place
  /// "1", or "1+3" for a member that consists of several components.
  std::string numbers{};
  std::string name{};  ///< "species = Gentoo, body_mass_g ≈ 5100", or its place; may be empty
  std::string share_x{}, share_y{};        ///< "26 %", "< 0.1 %", "none"
  std::string interval_x{}, interval_y{};  ///< "20 to 33 %"; empty when unknown
  std::string fate{};   ///< "new", "gone", "moved", "grew", "shrank"; empty: nothing to say
  std::string moved{};  ///< in which columns its members moved; empty unless they did
  std::string p{};      ///< "p < 0.005" where it carries the verdict, otherwise empty
  bool changed = false;
};

struct ComparisonInWords {
  Verdict verdict = Verdict::undecided;
  std::string headline{};                ///< a few words: "Only the mix changed"
  std::string summary{};                 ///< one sentence about who did what, without p-values
  std::string side_x{"X"}, side_y{"Y"};  ///< what to call the two sides: "Biscoe", "spring"
  std::string data{};                    ///< which rows were compared
  /// Those that changed most first, and not more than a reader takes in.
  std::vector<ComponentInWords> components{};
  std::size_t left_out = 0;             ///< components that are not listed: shared by X and Y
  std::vector<std::string> evidence{};  ///< sentences with p-values
  std::string distances{};              ///< W and W_N beside what chance alone gives
};

/// `most` limits the list of components. The record must have a comparison.
[[nodiscard]] ComparisonInWords comparison_in_words(const record::RunRecord& record,
                                                    std::size_t most = 8);

/// The same with a row for each member: components that overlap and changed alike are one.
[[nodiscard]] ComparisonInWords comparison_by_member(const record::RunRecord& record,
                                                     std::size_t most = 8);

/// The story as Markdown, for a pull request or a chat.
[[nodiscard]] std::string render_markdown(const record::RunRecord& record);

/// "Only the mix changed", "The members changed", ...
[[nodiscard]] std::string headline_of(Verdict verdict);

/// "p < 0.005", "p = 0.03".
[[nodiscard]] std::string p_words(double p);

}  // namespace nw::report
