// A record as text for people: what the command prints, and what Python shows of a result.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"
#include "nw/report/text_style.hpp"

namespace nw::report {

/// The answer, a table of components or classes, and what it rests on, in lines no wider than the
/// style says. For records of a comparison, clustering, mixture GAN, adaptation or denoising; of
/// any other kind sentence, details and warnings.
[[nodiscard]] std::string render_text(const record::RunRecord& record, const TextStyle& style = {});

/// The answer alone, for scripts: the verdict, shares or numbers, one a line. Empty for a record
/// that has none of them.
[[nodiscard]] std::string render_answer(const record::RunRecord& record);

}  // namespace nw::report
