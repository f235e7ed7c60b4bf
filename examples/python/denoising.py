"""Takes noise off rows, learnt from clean rows that belong to none of them."""
import numpy as np

import nw

rng = np.random.default_rng(0)
slope = np.array([1.0, 2.0, -1.0])
clean = rng.normal(size=(200, 1)) * slope
hidden = rng.normal(size=(200, 1)) * slope  # nobody sees these
noisy = hidden + 0.5 * rng.normal(size=(200, 3))

model = nw.Denoiser(n_components=1, steps=100, embedding=1, random_state=0).fit(noisy, clean)
before, after = ((noisy - hidden) ** 2).mean(), ((model.denoised_ - hidden) ** 2).mean()
print(f"mean squared error {before:.3f} before, {after:.3f} after")
assert after < before
