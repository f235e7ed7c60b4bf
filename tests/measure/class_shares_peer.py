"""Shares of classes by scikit-learn's posteriors and EM in NumPy, for the test of ours.

usage: class_shares_peer.py DATA ANSWER

DATA: four int64 (rows of X, rows of Y, columns, classes), then float64 values of X, values of Y and the class of every
row of X. ANSWER gets the shares of Y by EM and by mean scores. Exit code 77: no scikit-learn.
"""
import sys

try:
    import numpy as np
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
except ImportError as error:
    print(f"class_shares_peer: {error}", file=sys.stderr)
    sys.exit(77)

raw = open(sys.argv[1], "rb").read()
n, m, d, k = np.frombuffer(raw, np.int64, 4)
numbers = np.frombuffer(raw, np.float64, -1, 32)
x, y, label = np.split(numbers, [n * d, (n + m) * d])
x, y, label = x.reshape(n, d), y.reshape(m, d), label.astype(int)
forest = RandomForestClassifier(400, min_samples_leaf=3, oob_score=True, random_state=1).fit(x, label)
scores = [np.log(np.clip(q, 0.005, None)) for q in (forest.oob_decision_function_, forest.predict_proba(y))]
calibrated = LogisticRegression(C=1.0, max_iter=1000).fit(scores[0], label)  # a matrix, where ours has a temperature
q_x, q_y = (calibrated.predict_proba(s) for s in scores)

prior = np.bincount(label, minlength=k) / n
share = prior.copy()
for _ in range(2000):
    part = q_y * share / prior
    share = (part / part.sum(1, keepdims=True)).mean(0)
mean = np.stack([q_x[label == c].mean(0) for c in range(k)], axis=1)
np.concatenate([share, np.linalg.solve(mean, q_y.mean(0))]).tofile(sys.argv[2])
