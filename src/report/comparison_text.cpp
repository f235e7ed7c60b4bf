#include "report/comparison_text.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/report/comparison_in_words.hpp"

namespace nw::report {
namespace {

constexpr std::size_t kWideTable = 64;                 // narrower ones get two lines per component
constexpr std::size_t kMostWide = 8, kMostNarrow = 6;  // components that are shown
constexpr std::size_t kMostText = 100;                 // longer lines are hard to read

Ink ink_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return Ink::blue;
    case Verdict::proportions:
      return Ink::green;
    case Verdict::components:
      return Ink::orange;
    case Verdict::undecided:
      break;
  }
  return Ink::violet;
}

Ink ink_of(const ComponentInWords& component) {
  if (component.fate == "new" || component.fate == "gone" || component.fate == "moved") {
    return Ink::orange;
  }
  return component.fate.empty() ? Ink::plain : Ink::green;
}

std::string name_of(const ComponentInWords& component) {
  return component.name.empty() ? concat("component ", component.number) : component.name;
}

/// How it moved and how sure that is; empty for all others.
std::string details_of(const ComponentInWords& component) {
  std::string text = component.moved;
  if (!component.p.empty()) text += concat(text.empty() ? "" : " ", "(", component.p, ")");
  return text;
}

std::string fate_of(const ComponentInWords& component) {
  const std::string details = details_of(component);
  return component.fate + (details.empty() ? "" : " " + details);
}

/// Number, name, share before and after, fate: names take what the rest leaves.
std::string wide_table(const ComparisonInWords& story, const TextStyle& style) {
  std::size_t x = columns_of(story.side_x), y = columns_of(story.side_y), fate = 0, name = 9;
  for (const ComponentInWords& component : story.components) {
    x = std::max(x, columns_of(component.share_x));
    y = std::max(y, columns_of(component.share_y));
    fate = std::max(fate, columns_of(fate_of(component)));
    name = std::max(name, columns_of(name_of(component)));
  }
  const std::size_t width = std::min(style.width, kMostText);
  const std::size_t rest = 5 + 2 + x + 3 + y + 2;
  // A long story of what moved goes below its component.
  const bool below = rest + std::min<std::size_t>(name, 30) + fate > width;
  const std::size_t room = width - rest - (below ? 7 : fate);
  name = std::min(name, room);
  const auto shares = [&](const std::string& a, const std::string& b, const char* between) {
    return concat(to_the_right(a, x), between, to_the_left(b, y));
  };
  std::string heading = concat("  #  ", to_the_left("component", name), "  ",
                               shares(story.side_x, story.side_y, " → "));
  heading.erase(heading.find_last_not_of(' ') + 1);
  std::string text = style.in(Ink::faint, heading) + '\n';
  for (const ComponentInWords& component : story.components) {
    const std::string lines = wrapped(name_of(component), name);
    const auto end = lines.find('\n');
    const std::string first = lines.substr(0, end);
    const std::string told = below ? component.fate : fate_of(component);
    std::string line =
        concat(to_the_right(std::to_string(component.number), 3), "  ", to_the_left(first, name),
               "  ", shares(component.share_x, component.share_y, " → "));
    if (!told.empty()) line += "  " + style.in(ink_of(component), told);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
    if (end != std::string::npos) {
      std::string others = lines.substr(end + 1);
      for (std::size_t at = 0; (at = others.find('\n', at)) != std::string::npos; at += 6) {
        others.replace(at, 1, "\n     ");
      }
      text += "     " + others + '\n';
    }
    if (below && !details_of(component).empty()) {
      const std::string lines_below = wrapped("moved " + details_of(component), width - 5, 7);
      text += "     " + style.in(Ink::faint, lines_below) + '\n';
    }
  }
  return text;
}

std::string narrow_table(const ComparisonInWords& story, const TextStyle& style) {
  std::string text;
  for (const ComponentInWords& component : story.components) {
    const std::string number = to_the_right(std::to_string(component.number), 2) + " ";
    text += number + wrapped(name_of(component), style.width - 3, 3);
    const std::string fate = fate_of(component);
    const std::string shares =
        concat(component.share_x, " → ", component.share_y, fate.empty() ? "" : ", ");
    std::string plain = wrapped(shares + fate, style.width - 3, 3);
    if (const auto at = plain.find(component.fate); !component.fate.empty() && at < plain.size()) {
      plain.replace(at, component.fate.size(), style.in(ink_of(component), component.fate));
    }
    text += "\n   " + plain + '\n';
  }
  return text;
}

}  // namespace

std::string comparison_text(const record::RunRecord& record, const TextStyle& style) {
  const ComparisonInWords story =
      comparison_in_words(record, style.width >= kWideTable ? kMostWide : kMostNarrow);
  const std::size_t width = std::min(style.width, kMostText);
  std::string text = style.in(ink_of(story.verdict), story.headline) + '\n';
  text += wrapped(story.summary, width) + '\n';
  for (const std::string& warning : record.warnings) {
    text += style.in(Ink::orange, wrapped("Note: " + warning, width)) + '\n';
  }
  if (!story.components.empty()) {
    text += '\n';
    text += style.width >= kWideTable ? wide_table(story, style) : narrow_table(story, style);
    if (story.left_out > 0) {
      text += style.in(Ink::faint, concat("     and ", story.left_out, " more shared component",
                                          story.left_out == 1 ? "" : "s")) +
              '\n';
    }
    text += '\n';
  }
  for (const std::string& sentence : story.evidence) text += wrapped(sentence, width) + '\n';
  if (!story.components.empty()) {
    text += style.in(Ink::faint, wrapped(story.distances, width)) + '\n';
  }
  for (const std::string& note : record.details) {
    text += wrapped("- " + note, style.width, 2) + '\n';
  }
  return text;
}

}  // namespace nw::report
