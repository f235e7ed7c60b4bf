"""A classifier for rows without labels whose classes come in other proportions."""
import pickle

import numpy as np

import nw

rng = np.random.default_rng(0)
centres = np.array([[0.0, 0.0], [8.0, 0.0]])
labels = rng.choice(2, 300, p=[0.8, 0.2])
source = centres[labels] + rng.normal(size=(300, 2))
hidden = rng.choice(2, 300, p=[0.3, 0.7])  # nobody sees these
target = centres[hidden] + rng.normal(size=(300, 2)) + 0.5

model = nw.Adapter(steps=300, random_state=0).fit(source, labels, target)
print("shares of the classes in the target:", model.target_proportions_.round(2))
print("accuracy:", model.score(target, hidden))
assert model.score(target, hidden) > 0.9

again = pickle.loads(pickle.dumps(model))  # models are bytes
assert (again.predict(target) == model.predict(target)).all()
