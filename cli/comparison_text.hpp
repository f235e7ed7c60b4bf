// The story of a comparison on a terminal.
#pragma once

#include <string>

#include "nw/report/comparison_story.hpp"

#include "cli/terminal.hpp"

namespace nw::cli {

/// Headline, summary, table of components and evidence, in lines no wider than the terminal.
[[nodiscard]] std::string comparison_text(const report::ComparisonStory& story,
                                          const Terminal& terminal);

}  // namespace nw::cli
