// A classifier for a survey without labels, from one with labels and other proportions.
#include "nw/app/adaptation/adaptation.hpp"

#include <iostream>

int main() {
  try {
    const nw::io::LoadOptions load{.columns = {"age", "income"}, .label_column = "group"};
    const nw::app::AdaptationData data{
        .source = nw::io::load_points("examples/data/spring.csv", load),
        .target = nw::io::load_points("examples/data/autumn.csv", load)};
    const auto result = nw::app::adapt_classifier(data, {.steps = 200});

    const auto& figures = *result.record.adaptation;
    for (std::size_t j = 0; j < figures.classes.size(); ++j) {
      std::cout << figures.classes[j] << ": " << figures.pi_source[j] << " of spring, "
                << figures.pi_target[j] << " of autumn\n";
    }
    const auto copy = nw::app::AdaptedClassifier::from_bytes(result.model.to_bytes());
    const auto one = copy.predict(nw::Matrix({70.0, 18.0}, 1, 2));
    std::cout << "70 years, 18 a year: " << copy.classes()[std::size_t(one.predicted[0])] << '\n';
    return result.finished ? 0 : 1;
  } catch (const nw::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
