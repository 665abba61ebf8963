"""Makes agreement.json: what others' implementations say of random tables of two raters, for agreement.spec.ts.

    python3 -m venv venv && venv/bin/pip install numpy==1.26.4 scipy==1.12.0 statsmodels==0.15.0 scikit-learn==1.9.1 irrCAC==0.4.4 pandas==2.3.3
    venv/bin/python test/domain/statistics/make-agreement.py

Cohen's kappa is statsmodels', AC1 is irrCAC's, F1, recall and accuracy are scikit-learn's, from the decisions one by one and not from
the table. Kappa and AC1 are each checked against the other library that has it, or against its author's published number.
"""

import json
import math
import random
import warnings
from importlib.metadata import version
from pathlib import Path

import pandas
from irrCAC.raw import CAC
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, recall_score
from statsmodels.stats.inter_rater import cohens_kappa

warnings.filterwarnings("ignore")
SCALE = ["MET", "PARTIALLY MET", "NOT MET"]
TABLES = 200
chance = random.Random(20261123)


def number(value):
    value = float(value)
    return None if math.isnan(value) or math.isinf(value) else value


def a_table():
    """Two raters with habits of their own, who agree more or less; now and then nearly all is met, or a decision is never given."""
    weights = chance.choice([[1, 1, 1], [20, 1, 1], [1, 0, 1], [1, 0, 30], [6, 2, 3], [1, 0, 0]])
    faithful = chance.choice([0, 0.5, 0.9, 1])
    pairs = []
    for _ in range(chance.choice([2, 3, 5, 20, 100, 400])):
        one = chance.choices(range(3), weights)[0]
        other = one if chance.random() < faithful else chance.choices(range(3), weights)[0]
        pairs.append((one, other))
    return pairs


def measured(pairs):
    ones, others = [SCALE[one] for one, _ in pairs], [SCALE[other] for _, other in pairs]
    table = [[sum(pair == (row, column) for pair in pairs) for column in range(3)] for row in range(3)]
    kappa = number(cohens_kappa(table, return_results=False))
    theirs = number(cohen_kappa_score(ones, others))
    assert (kappa is None and theirs is None) or abs(kappa - theirs) < 1e-12, (kappa, theirs)
    ratings = pandas.DataFrame({"one": ones, "other": others})
    cac = CAC(ratings, categories=SCALE, digits=15)
    ac1 = number(cac.gwet()["est"]["coefficient_value"])
    faults = [one != 2 for one, _ in pairs]
    found = [other != 2 for _, other in pairs]
    has_both = all(any(decision in pair for pair in pairs) for decision in (0, 2))
    return {
        "table": table,
        "raw": float(accuracy_score(ones, others)),
        "kappa": kappa,
        "ac1": ac1,
        "macro_f1": float(f1_score(ones, others, labels=["MET", "NOT MET"], average="macro")) if has_both else None,
        "sensitivity": float(recall_score(faults, found)) if any(faults) else None,
        "specificity": float(recall_score(faults, found, pos_label=False)) if not all(faults) else None,
    }




fixture = {
    "made_with": {name: version(name) for name in ["numpy", "scipy", "statsmodels", "scikit-learn", "irrCAC"]},
    "tables": [measured(a_table()) for _ in range(TABLES)],
}
target = Path(__file__).with_name("agreement.json")
target.write_text(json.dumps(fixture, separators=(",", ":")) + "\n")
print(target, target.stat().st_size)
