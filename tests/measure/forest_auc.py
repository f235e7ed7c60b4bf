"""Out-of-bag AUC of scikit-learn's forests, for the test of ours.

usage: forest_auc.py DATA ANSWER

DATA: two int64 (rows, columns), then float64 values [rows, columns] and label of every row.
ANSWER gets the AUC of a random forest and of extra trees. Exit code 77: no scikit-learn.
"""
import sys

try:
    import numpy as np
    from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
    from sklearn.metrics import roc_auc_score
except ImportError as error:
    print(f"forest_auc: {error}", file=sys.stderr)
    sys.exit(77)

raw = open(sys.argv[1], "rb").read()
rows, columns = np.frombuffer(raw, np.int64, 2)
values = np.frombuffer(raw, np.float64, rows * columns, 16).reshape(rows, columns)
label = np.frombuffer(raw, np.float64, rows, 16 + 8 * rows * columns).astype(int)
forests = [RandomForestClassifier(200, oob_score=True, random_state=1),
           ExtraTreesClassifier(200, min_samples_leaf=3, bootstrap=True, oob_score=True,
                                random_state=1)]
answer = []
for forest in forests:
    score = forest.fit(values, label).oob_decision_function_[:, 1]
    answer.append(roc_auc_score(label, score))
np.array(answer).tofile(sys.argv[2])
