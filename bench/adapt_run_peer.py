"""Whole runs of NW adaptation on digits in plain PyTorch, to check recipe `paper` against.

Usage: adapt_run_peer.py FOLDER [--seed N] [--batch N] [--critic WIDTHS] [--steps N]. FOLDER is
what `nw data mnistm-imbalanced -o FOLDER` writes. The game is that of the authors' program: critic
and proportions move in every step, features see the critic in every tenth, dropout follows the
second convolution and the classifier's first layer. Prints loss, gap, accuracy on test rows of the
target (mean over classes) and pi, twenty times. `nw adapt --recipe paper` plays the same game with
`--set pi-with-features=0` and the batch and steps given here. Needs PyTorch (Debian: python3-torch).
"""

import argparse
import glob
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from digit_networks import Features, classifier_of

arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("folder")
arguments.add_argument("--seed", type=int, default=0)
arguments.add_argument("--batch", type=int, default=256)
arguments.add_argument("--critic", default="256,100")
arguments.add_argument("--steps", type=int, default=14400)
arguments = arguments.parse_args()
batch = arguments.batch

torch.manual_seed(arguments.seed)
device = "cuda" if torch.cuda.is_available() else "cpu"


def read(prefix):
    (path,) = glob.glob(f"{arguments.folder}/{prefix}*")
    with open(path, "rb") as stream:
        raw = stream.read()
    sizes = struct.unpack(f">{raw[3]}I", raw[4 : 4 + 4 * raw[3]])
    values = np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(sizes)
    return torch.from_numpy(values.copy()).to(device)


def read_labelled(prefix):
    labels = read(f"{prefix}-labels").long()
    names, places = torch.unique(labels, return_inverse=True)
    return read(f"{prefix}-images"), places, len(names)


source, source_class, classes = read_labelled("source-train")
target, _, _ = read_labelled("target-train")
test, test_class, _ = read_labelled("target-test")
target, test = target.permute(0, 3, 1, 2), test.permute(0, 3, 1, 2)
side = source.shape[1]
slack = target.shape[2] - side


class Rows:
    """Batches of rows in random order, again and again; what is left of a pass is dropped."""

    def __init__(self, rows):
        self.rows, self.order, self.at = rows, rows, len(rows)

    def next(self):
        if self.at + batch > len(self.order):
            self.order = self.rows[torch.randperm(len(self.rows), device=device)]
            self.at = 0
        self.at += batch
        return self.order[self.at - batch : self.at]


def grey(rows):
    return (source[rows].float() / 127.5 - 1).unsqueeze(1).expand(-1, 3, -1, -1)


def windows(rows):
    """Target images, each cut at a random place."""
    first = torch.randint(0, slack + 1, (2, len(rows)), device=device)
    along = torch.arange(side, device=device)
    y = (first[0, :, None] + along)[:, None, :, None]
    x = (first[1, :, None] + along)[:, None, None, :]
    image = torch.arange(len(rows), device=device)[:, None, None, None]
    channel = torch.arange(3, device=device)[None, :, None, None]
    return target[rows][image, channel, y, x].float() / 127.5 - 1


def perceptron(widths):
    layers = []
    for inputs, outputs in zip(widths, widths[1:]):
        layers += [nn.Linear(inputs, outputs), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(widths[-1], 1)).to(device)


features = Features().to(device)
classifier = classifier_of(classes).to(device)
critic = perceptron([768, *(int(width) for width in arguments.critic.split(","))])
logits = torch.zeros(classes, device=device, requires_grad=True)


def player(parameters, rate):
    parameters = list(parameters)
    return parameters, torch.optim.Adam(parameters, lr=rate, betas=(0.5, 0.999))


def descend(player, value, **more):
    parameters, optimizer = player
    for p, gradient in zip(parameters, torch.autograd.grad(value, parameters, **more)):
        p.grad = gradient
    return optimizer


networks = player([*features.parameters(), *classifier.parameters()], 2e-4)
critic_player, pi_player = player(critic.parameters(), 2e-4), player([logits], 5e-4)


def accuracy():
    features.eval(), classifier.eval()
    with torch.no_grad():
        cut = slice(slack // 2, slack // 2 + side)
        right = classifier(features(test[:, :, cut, cut].float() / 127.5 - 1)).argmax(1)
        right = (right == test_class).float()
        each = [right[test_class == j].mean() for j in range(classes)]
    features.train(), classifier.train()
    return 100 * torch.stack(each).mean().item()


natural = Rows(torch.arange(len(source), device=device))
of_target = Rows(torch.arange(len(target), device=device))
of_class = [Rows(torch.nonzero(source_class == j).squeeze(1)) for j in range(classes)]
for number in range(1, arguments.steps + 1):
    adversarial = number % 10 == 0
    with torch.set_grad_enabled(adversarial):
        a = features(torch.cat([grey(rows.next()) for rows in of_class]))
        b = features(windows(of_target.next()))
    with torch.no_grad():
        for p in critic.parameters():
            p.clamp_(-0.01, 0.01)

    def means(a, b, pi):
        return (pi * critic(a).view(classes, batch).mean(1)).sum(), critic(b).mean()

    of_source, of_b = means(a.detach(), b.detach(), F.softmax(logits, 0))
    steps = [
        descend(critic_player, of_b - of_source, retain_graph=True),
        descend(pi_player, of_source),
    ]
    for optimizer in steps:
        optimizer.step()
    rows = natural.next()
    loss = F.cross_entropy(classifier(features(grey(rows))), source_class[rows])
    value = loss
    if adversarial:
        x, y = means(a, b, F.softmax(logits, 0).detach())
        value = loss + x - y
    descend(networks, value).step()
    if number % max(1, arguments.steps // 20) == 0:
        pi = " ".join(f"{p:.3f}" for p in F.softmax(logits, 0).tolist())
        print(f"{number} loss {loss.item():.3f} gap {(of_source - of_b).item():.3f} "
              f"accuracy {accuracy():.2f} pi {pi}", flush=True)  # fmt: skip
