"""Time of one step of NW adaptation in PyTorch, written the usual way: the yardstick of `nw adapt`.

Usage: adapt_step_peer.py [STEPS] [BATCH] [CLASSES]. The step is that of the authors' program: a
classification batch, a target batch and one batch per class, each through the network by itself;
critic and proportions move in every step, features see the critic in every tenth. Prints
milliseconds a step. Needs PyTorch (Debian: python3-torch).
"""

import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from digit_networks import Features, classifier_of

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 30
batch = int(sys.argv[2]) if len(sys.argv) > 2 else 128
classes = int(sys.argv[3]) if len(sys.argv) > 3 else 3

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

features = Features().to(device)
classifier = classifier_of(classes).to(device)
critic = nn.Sequential(
    nn.Linear(768, 256), nn.ReLU(), nn.Linear(256, 100), nn.ReLU(), nn.Linear(100, 1)
).to(device)
logits = nn.Parameter(torch.zeros(classes, device=device))
adam = lambda parameters, rate: torch.optim.Adam(parameters, lr=rate, betas=(0.5, 0.999))
optimizers = [adam(m.parameters(), 2e-4) for m in (features, classifier, critic)]
pi_optimizer = adam([logits], 5e-4)
images = torch.rand(2000, 3, 28, 28, device=device) * 2 - 1
draw = lambda: images[torch.randint(len(images), (batch,), device=device)]
labels = torch.randint(classes, (batch,), device=device)


def step(number):
    for optimizer in [*optimizers, pi_optimizer]:
        optimizer.zero_grad()
    for p in critic.parameters():
        p.data.clamp_(-0.01, 0.01)
    classification = F.cross_entropy(classifier(features(draw())), labels)
    target = critic(features(draw())).mean()
    pi = F.softmax(logits, 0)
    source = sum(pi[j] * critic(features(draw())).mean() for j in range(classes))
    # The published trainer goes back through the whole graph for the critic and for pi.
    (source - target).backward(retain_graph=True)
    source.backward(retain_graph=True)
    gradients = [p.grad.clone() for p in critic.parameters()], logits.grad.clone()
    optimizers[0].zero_grad()
    loss = classification if number % 10 else classification + target - source
    loss.backward()
    for p, gradient in zip(critic.parameters(), gradients[0]):
        p.grad = gradient
    logits.grad = gradients[1]
    for optimizer in [*optimizers, pi_optimizer]:
        optimizer.step()


for number in range(5):
    step(number)
start = time.perf_counter()
for number in range(steps):
    step(number)
if device == "cuda":
    torch.cuda.synchronize()
print(f"{1000 * (time.perf_counter() - start) / steps:.2f} ms a step, batch {batch}, "
      f"{classes} classes, {device}, {torch.get_num_threads()} threads")  # fmt: skip
