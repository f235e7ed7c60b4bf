// One run as one part of the page.
#pragma once

#include <cstddef>
#include <iosfwd>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// Where an article stands in the page.
struct ArticlePlace {
  std::size_t index = 0;  ///< of the run; part of every id
  int heading = 1;        ///< level of the article's heading
};

/// Writes the article: the answer first, then figure, proportions, curve, tables and provenance.
void write_run_article(std::ostream& out, const record::RunRecord& record, ArticlePlace place);

}  // namespace nw::report
