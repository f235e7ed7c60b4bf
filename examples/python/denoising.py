"""Takes noise off rows of two kinds, learnt from clean rows in another mix of them."""
import numpy as np

import nw

rng = np.random.default_rng(0)


def two_kinds(share):
    """120 rows near (2, 2, 2, 2), `share` of them, and near its opposite."""
    centres = np.where(np.arange(120)[:, None] < share * 120, 2.0, -2.0)
    return centres + 0.1 * rng.normal(size=(120, 4))


clean = two_kinds(0.8)
hidden = two_kinds(0.3)  # nobody sees these
noisy = hidden + 0.5 * rng.normal(size=hidden.shape)

model = nw.Denoiser(n_components=2, steps=300, random_state=0).fit(noisy, clean)
before, after = ((noisy - hidden) ** 2).mean(), ((model.denoised_ - hidden) ** 2).mean()
print(f"mean squared error {before:.3f} before, {after:.3f} after")
assert after < before
