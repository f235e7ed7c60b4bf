"""Clusters of very different size, found together with their shares."""
import numpy as np

import nw

rng = np.random.default_rng(0)
truth = np.repeat([0, 1], [450, 50])
X = np.array([[0.0, 0.0], [9.0, 0.0]])[truth] + rng.normal(size=(500, 2))

model = nw.MixtureClustering(2, steps=100, restarts=1, random_state=0).fit(X)
print("shares:", model.weights_.round(2), "surest row:", model.confidence_.max().round(3))
agree = (model.labels_ == truth).mean()
assert max(agree, 1 - agree) > 0.95  # clusters have no names
print("clusters of two new rows:", model.predict([[0.0, 0.0], [9.0, 0.0]]))
