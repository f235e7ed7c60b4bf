"""Solves min over pi and T of <C, T> as one linear program with scipy.

usage: joint_lp.py PROBLEM ANSWER

PROBLEM: four int64 (n, m, k, d), then float64 X [n, d], atoms [m, d], component of each atom [m],
source weights [n]. ANSWER gets the optimal value and the k proportions. Exit code 77: no scipy.
"""
import sys

try:
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import lil_matrix
    from scipy.spatial.distance import cdist
except ImportError as error:
    print(f"joint_lp: {error}", file=sys.stderr)
    sys.exit(77)

raw = open(sys.argv[1], "rb").read()
n, m, k, d = np.frombuffer(raw, np.int64, 4)
values = np.frombuffer(raw, np.float64, offset=32)
x, atoms, component, weights = np.split(values, np.cumsum([n * d, m * d, m]))
x, atoms, component = x.reshape(n, d), atoms.reshape(m, d), component.astype(int)
count = np.bincount(component, minlength=k)

# Variables: T row by row, then pi. Rows of T sum to the weights, columns to pi_j / m_j.
cost = np.concatenate([cdist(x, atoms).ravel(), np.zeros(k)])
rows = lil_matrix((n + m + 1, n * m + k))
for i in range(n):
    rows[i, i * m:(i + 1) * m] = 1.0
for s in range(m):
    rows[n + s, s:n * m:m] = 1.0
    rows[n + s, n * m + component[s]] = -1.0 / count[component[s]]
rows[n + m, n * m:] = 1.0
right = np.concatenate([weights, np.zeros(m), [1.0]])
solution = linprog(cost, A_eq=rows.tocsr(), b_eq=right, method="highs")
assert solution.status == 0, solution.message
np.concatenate([[solution.fun], solution.x[n * m:]]).tofile(sys.argv[2])
