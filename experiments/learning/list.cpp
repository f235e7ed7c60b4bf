#include "experiments/experiment.hpp"

namespace nw::experiments {

ExperimentResult run_choose_k_gan(const ExperimentSettings& settings);
ExperimentResult run_mog(const ExperimentSettings& settings);
ExperimentResult run_denoising(const ExperimentSettings& settings);
ExperimentResult run_mnistm_imbalanced(const ExperimentSettings& settings);
ExperimentResult run_mnistm_balanced(const ExperimentSettings& settings);
ExperimentResult run_adapt_suite(const ExperimentSettings& settings);
ExperimentResult run_pacs(const ExperimentSettings& settings);
ExperimentResult run_visda(const ExperimentSettings& settings);
ExperimentResult run_visda_balanced(const ExperimentSettings& settings);
ExperimentResult run_mnist_clustering(const ExperimentSettings& settings);
ExperimentResult run_imbalance_sweep(const ExperimentSettings& settings);
ExperimentResult run_cifar10(const ExperimentSettings& settings);
ExperimentResult run_cifar_celeba(const ExperimentSettings& settings);
ExperimentResult run_cifar_celeba_clustering(const ExperimentSettings& settings);

std::vector<Experiment> learning_experiments() {
  return {
      {"choose-k", "Figure: NW(k) against the number of modes", {{"gan", run_choose_k_gan}}},
      {"mog", "Table: NWGAN, WGAN and MGAN on a mixture of nine Gaussians", {{"", run_mog}}},
      {"visda",
       "Table: synthetic to real pictures, three classes, imbalanced",
       {{"frozen", run_visda}, {"fine-tune", run_visda}},
       true},
      {"visda-balanced",
       "The same in equal proportions",
       {{"frozen", run_visda_balanced}, {"fine-tune", run_visda_balanced}},
       true},
      {"pacs",
       "A stand-in for VISDA: cartoons to photos and back",
       {{"frozen", run_pacs}, {"fine-tune", run_pacs}},
       true},
      {"denoising",
       "Table: denoising digits by adaptation, error on the target",
       {{"", run_denoising}}},
      {"mnistm-imbalanced",
       "Table: MNIST to MNIST-M in other proportions, 3, 5 and 10 modes",
       {{"", run_mnistm_imbalanced}},
       true},
      {"mnistm-balanced",
       "Table: MNIST to MNIST-M, all classes in equal proportions",
       {{"", run_mnistm_balanced}},
       true},
      {"adapt-suite",
       "Adaptation on four pairs of digits under several shifts of the classes",
       {{"", run_adapt_suite}},
       true},
      {"mnist-clustering", "Table: clusters of imbalanced MNIST", {{"", run_mnist_clustering}}},
      {"imbalance-sweep",
       "Clusters from equal sizes to 1 : 50, digits, plane and table",
       {{"", run_imbalance_sweep}}},
      {"cifar10",
       "NWGAN with four components against one on CIFAR-10, for the same time",
       {{"", run_cifar10}}},
      {"cifar-celeba",
       "Figure: objects and faces, proportions learned against fixed",
       {{"", run_cifar_celeba}}},
      {"cifar-celeba-clustering",
       "Table: clustering objects and faces",
       {{"", run_cifar_celeba_clustering}}},
  };
}

}  // namespace nw::experiments
