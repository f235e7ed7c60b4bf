"""A mixture of generators that learns rows and the proportions of their kinds."""
import numpy as np

import nw

rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(-4, 1, (300, 2)), rng.normal(4, 1, (100, 2))])

model = nw.MixtureGAN(n_components=2, steps=150, random_state=0).fit(X)
rows, component = model.sample(1000)
print("proportions:", model.weights_.round(2), "distance from held-out rows:", round(model.wasserstein_, 2))
assert rows.shape == (1000, 2) and set(component) <= {0, 1}
