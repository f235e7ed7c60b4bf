"""What changed between two data sets: the mix, or the members?"""
import numpy as np

import nw

rng = np.random.default_rng(0)
centres = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
spring = centres[rng.choice(3, 300, p=[0.6, 0.3, 0.1])] + rng.normal(size=(300, 2))
autumn = centres[rng.choice(3, 300, p=[0.1, 0.3, 0.6])] + rng.normal(size=(300, 2))

result = nw.compare(spring, autumn, k="auto")
print(result)
print(f"W = {result.wasserstein:.2f}, W_N = {result.normalized_wasserstein:.2f}")
assert result.verdict == "proportions"
