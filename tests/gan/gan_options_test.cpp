#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/gan/gan_fields.hpp"

namespace nw::gan {
namespace {

GanOptions two_components(GanMethod method = GanMethod::nwgan) {
  return recipe_options(Recipe::best, method, 2, identity_normalisation(2));
}

std::string complaint(const GanOptions& options) {
  try {
    options.validate();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(GanOptions, NameTheFieldThatIsOutOfRangeThoseOfTheGameToo) {
  EXPECT_EQ(complaint(two_components()), "");
  auto options = two_components();
  options.steps = 0;
  EXPECT_EQ(complaint(options), "GanOptions.steps must be at least 1, got 0");
  options = two_components();
  options.game.averaging = 1.0;
  EXPECT_THAT(complaint(options), testing::StartsWith("GanOptions.averaging must be at least 0"));
  options = two_components();
  options.game.penalty_rows = options.game.batch + 1;
  EXPECT_THAT(complaint(options), testing::HasSubstr("penalty_rows"));
}

TEST(GanOptions, ListEveryFieldUnderANameOfItsOwn) {
  for (const auto method : {GanMethod::nwgan, GanMethod::wgan, GanMethod::mgan}) {
    std::set<std::string> names;
    std::size_t fields = 0;
    auto options = two_components(method);
    options.for_each_field([&](const OptionField& field, const auto&) {
      names.insert(field.name);
      ++fields;
    });
    EXPECT_EQ(names.size(), fields);
  }
}

}  // namespace
}  // namespace nw::gan
