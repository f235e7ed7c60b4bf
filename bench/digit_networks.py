"""Networks of the paper's table for digits in plain PyTorch, with the dropout of the authors' program:
what both programs share that `nw adapt` is measured against."""

import torch.nn as nn
import torch.nn.functional as F


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv0, self.conv1 = nn.Conv2d(3, 32, 5), nn.Conv2d(32, 48, 5)
        self.drop = nn.Dropout2d()

    def forward(self, x):
        x = F.relu(F.max_pool2d(self.conv0(x), 2))
        return F.relu(F.max_pool2d(self.drop(self.conv1(x)), 2)).flatten(1)


def classifier_of(classes):
    return nn.Sequential(
        nn.Linear(768, 100), nn.ReLU(), nn.Dropout(), nn.Linear(100, 100), nn.ReLU(),
        nn.Linear(100, classes),
    )  # fmt: skip
