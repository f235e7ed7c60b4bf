"""One iteration of NWGAN with the residual networks of WGAN-GP in plain PyTorch: five steps of
critic and proportions, one of the components, as bench_image_step does it.

Usage: image_step_peer.py [eager|tuned|compile ...] [channels]. `eager` is PyTorch as it comes,
`tuned` adds bfloat16 autocast, channels last and the search for the fastest convolutions, `compile`
puts torch.compile around the losses. Prints milliseconds per iteration and images per second.
"""

import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

K, BATCH, LATENT, CRITIC_STEPS = 2, 64, 128, 5
EACH = BATCH // K
numbers = [int(a) for a in sys.argv[1:] if a.isdigit()]
modes = [a for a in sys.argv[1:] if not a.isdigit()] or ["eager", "tuned", "compile"]
WIDTH = numbers[0] if numbers else 128
device = "cuda" if torch.cuda.is_available() else "cpu"


class Up(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm0, self.norm1 = nn.BatchNorm2d(WIDTH), nn.BatchNorm2d(WIDTH)
        self.conv0 = nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
        self.conv1 = nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
        self.shortcut = nn.Conv2d(WIDTH, WIDTH, 1)

    def forward(self, x):
        inner = self.conv0(F.interpolate(F.relu(self.norm0(x)), scale_factor=2.0))
        inner = self.conv1(F.relu(self.norm1(inner)))
        return inner + self.shortcut(F.interpolate(x, scale_factor=2.0))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(LATENT, 16 * WIDTH)
        self.blocks = nn.Sequential(Up(), Up(), Up())
        self.norm, self.conv = nn.BatchNorm2d(WIDTH), nn.Conv2d(WIDTH, 3, 3, padding=1)

    def forward(self, z):
        x = self.blocks(self.linear(z).view(-1, WIDTH, 4, 4))
        return torch.tanh(self.conv(F.relu(self.norm(x)))).float()


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        inputs = [3, WIDTH, WIDTH, WIDTH]
        self.first = nn.ModuleList(nn.Conv2d(i, WIDTH, 3, padding=1) for i in inputs)
        self.second = nn.ModuleList(nn.Conv2d(WIDTH, WIDTH, 3, padding=1) for _ in inputs)
        self.shortcut = nn.ModuleList(nn.Conv2d(i, WIDTH, 1) for i in inputs[:2])
        self.linear = nn.Linear(WIDTH, 1)

    def forward(self, x):
        for i, (first, second) in enumerate(zip(self.first, self.second)):
            inner = second(F.relu(first(x if i == 0 else F.relu(x))))
            if i < 2:
                inner, x = F.avg_pool2d(inner, 2), self.shortcut[i](F.avg_pool2d(x, 2))
            x = inner + x
        return self.linear(F.relu(x).mean((2, 3))).squeeze(1).float()


class Game:
    def __init__(self, mode):
        torch.manual_seed(0)
        self.tuned, self.compiled = mode == "tuned", mode == "compile"
        torch.backends.cudnn.benchmark = self.tuned
        self.generators = nn.ModuleList(Generator() for _ in range(K)).to(device)
        self.average = nn.ModuleList(Generator() for _ in range(K)).to(device)
        self.critic = Critic().to(device)
        self.data = torch.rand(2000, 3, 32, 32, device=device) * 2 - 1
        if self.tuned:
            for module in (self.generators, self.average, self.critic):
                module.to(memory_format=torch.channels_last)
            self.data = self.data.contiguous(memory_format=torch.channels_last)
        self.logits = torch.zeros(K, device=device)

        def adam(parameters, rate):
            return torch.optim.Adam(parameters, lr=rate, betas=(0.0, 0.9))

        self.critic_optimizer = adam(self.critic.parameters(), 2e-4)
        self.generator_optimizer = adam(self.generators.parameters(), 2e-4)
        self.pi_optimizer = adam([self.logits], 1e-3)
        self.critic_loss, self.generator_loss, self.fakes = (
            (torch.compile(f) for f in (self._critic_loss, self._generator_loss, self._fakes))
            if self.compiled
            else (self._critic_loss, self._generator_loss, self._fakes)
        )

    def precision(self):
        return torch.autocast(device, torch.bfloat16, enabled=self.tuned)

    def _fakes(self, z):
        return torch.cat([generator(part) for generator, part in zip(self.generators, z)])

    def _critic_loss(self, real, fakes, between, weights):
        values = self.critic(torch.cat([real, fakes]))
        objective = values[:BATCH].mean() - (weights * values[BATCH:]).sum()
        if self.compiled:  # torch.compile takes no second derivative of compiled code
            slope = torch.func.grad(lambda x: self.critic(x).sum())(between)
        else:
            between = between.requires_grad_(True)
            slope = torch.autograd.grad(self.critic(between).sum(), between, create_graph=True)[0]
        penalty = 10 * (slope.flatten(1).norm(2, 1) - 1).square().mean()
        return penalty - objective, values[BATCH:].detach()

    def _generator_loss(self, z, weights):
        return -(weights * self.critic(self._fakes(z))).sum()

    def weights(self):
        return (self.logits.softmax(0) / EACH).repeat_interleave(EACH)

    def critic_step(self):
        real = self.data[torch.randint(len(self.data), (BATCH,), device=device)]
        z = torch.randn(K, EACH, LATENT, device=device)
        weights = self.weights()
        with self.precision():
            with torch.no_grad():
                fakes = self.fakes(z)
            chosen = torch.multinomial(weights, BATCH, replacement=True)
            t = torch.rand(BATCH, 1, 1, 1, device=device)
            between = torch.lerp(fakes[chosen], real, t)
            loss, values = self.critic_loss(real, fakes, between, weights)
        self.critic_optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.critic_optimizer.step()
        pi = self.logits.softmax(0)
        slope = -values.view(K, EACH).mean(1)
        self.logits.grad = pi * (slope - (pi * slope).sum())
        self.pi_optimizer.step()

    def step(self):
        for _ in range(CRITIC_STEPS):
            self.critic_step()
        with self.precision():
            z = torch.randn(K, EACH, LATENT, device=device)
            loss = self.generator_loss(z, self.weights())
        self.generator_optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.generator_optimizer.step()
        with torch.no_grad():
            for old, new in zip(self.average.parameters(), self.generators.parameters()):
                old.lerp_(new, 0.001)


def wait():
    if device == "cuda":
        torch.cuda.synchronize()


for mode in modes:
    try:
        game = Game(mode)
        for _ in range(3):
            game.step()
        wait()
        begin, steps = time.perf_counter(), 0
        while time.perf_counter() - begin < 5.0:
            game.step()
            wait()
            steps += 1
        seconds = (time.perf_counter() - begin) / steps
        rate = CRITIC_STEPS * BATCH / seconds
        print(f"{mode}: {1e3 * seconds:.2f} ms per iteration, {rate:.0f} images/s", flush=True)
    except Exception as error:  # one mode that a version lacks must not hide the others
        print(f"{mode}: {type(error).__name__}: {str(error)[:300]}", flush=True)
