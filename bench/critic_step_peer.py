"""One critic step of the mixture-of-Gaussians GAN as the authors of the paper wrote it: a loop over
nine generators of four linear layers, a critic of 128 units, RMSProp and clipping, in PyTorch.

Usage: critic_step_peer.py [threads] [steps]. Prints milliseconds per step.
"""

import sys
import time

import torch
from torch import nn

K, BATCH = 9, 1024
threads = int(sys.argv[1]) if len(sys.argv) > 1 else 2
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
torch.set_num_threads(threads)
device = "cuda" if torch.cuda.is_available() else "cpu"


def generator():
    return nn.Sequential(
        nn.Linear(2, 64), nn.Linear(64, 64), nn.Linear(64, 64), nn.Linear(64, 2)
    ).to(device)


generators = [generator() for _ in range(K)]
critic = nn.Sequential(
    nn.Linear(2, 128), nn.LeakyReLU(0.2), nn.Linear(128, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1)
).to(device)
logits = torch.zeros(K, device=device, requires_grad=True)
critic_optimizer = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
pi_optimizer = torch.optim.RMSprop([logits], lr=0.01)
data = torch.randn(100000, 2, device=device)


def step():
    real = data[torch.randint(len(data), (BATCH,), device=device)]
    critic_optimizer.zero_grad()
    pi_optimizer.zero_grad()
    pi = torch.softmax(logits, 0)
    loss = -critic(real).mean()
    for j in range(K):
        with torch.no_grad():
            fake = generators[j](torch.randn(BATCH, 2, device=device))
        loss = loss + pi[j] * critic(fake).mean()
    loss.backward()
    logits.grad.neg_()
    critic_optimizer.step()
    pi_optimizer.step()
    for parameter in critic.parameters():
        parameter.data.clamp_(-0.003, 0.003)


def wait():
    if device == "cuda":
        torch.cuda.synchronize()


for _ in range(10):
    step()
wait()
begin = time.perf_counter()
for _ in range(steps):
    step()
wait()
print(f"{(time.perf_counter() - begin) / steps * 1e3:.3f}")
