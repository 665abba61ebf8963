"""Makes independent.json: what others' implementations say of 300 random tables, for independent.spec.ts.

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0 inspect_ai==0.3.285
    venv/bin/python test/domain/statistics/make-independent.py

Nothing here is computed by the formulas of src/domain/statistics: intervals are statsmodels', the variance between clusters is that of a
least-squares fit with cluster-robust errors, checked against inspect_ai's metric, pass^k is a hypergeometric probability of SciPy, and
so on.
"""

import json
import random
from importlib.metadata import version
from pathlib import Path

import numpy
from inspect_ai.scorer import SampleScore, Score, stderr
from scipy import stats
from scipy.optimize import brentq
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import power_proportions_2indep, proportion_confint

TABLES = 300
LEVELS = [50, 80, 90, 95, 99, 99.9]
chance = random.Random(20261121)


def a_run(scenarios, trials):
    """[graded, passed] of each scenario; difficulties are spread, some trials were not graded."""
    ease = chance.choice([0.02, 0.3, 0.5, 0.8, 0.97])
    clusters = []
    for _ in range(scenarios):
        difficulty = min(1, max(0, chance.gauss(ease, chance.choice([0, 0.1, 0.4]))))
        graded = sum(chance.random() < 0.95 for _ in range(trials))
        clusters.append([graded, sum(chance.random() < difficulty for _ in range(graded))])
    return clusters


def robust_variance(clusters):
    outcomes = [float(trial < passed) for graded, passed in clusters for trial in range(graded)]
    groups = [place for place, (graded, _) in enumerate(clusters) for _ in range(graded)]
    fit = OLS(outcomes, numpy.ones(len(outcomes))).fit(cov_type="cluster", cov_kwds={"groups": groups})
    scores = [
        SampleScore(score=Score(value=outcome), sample_id=place, sample_metadata={"scenario": group})
        for place, (outcome, group) in enumerate(zip(outcomes, groups))
    ]
    # Two implementations that do not know of each other.
    assert abs(stderr(cluster="scenario")(scores) ** 2 - fit.cov_params()[0][0]) < 1e-12
    return float(fit.cov_params()[0][0])


def rate(clusters, level):
    known = [(graded, passed) for graded, passed in clusters if graded > 0]
    if not known:
        return None
    graded, passed = map(sum, zip(*known))
    size = float(graded)
    if any(count > 1 for count, _ in known):
        size = float(len(known))
        if 0 < passed < graded and len(known) > 1:
            variance = robust_variance(known)
            if variance > 1e-18:
                size = min(float(graded), passed / graded * (1 - passed / graded) / variance)
    low, high = proportion_confint(passed / graded * size, size, alpha=1 - level / 100, method="wilson")
    return {"value": passed / graded, "low": float(low), "high": float(high), "size": size}


def pass_hat(clusters, k):
    shares = [stats.hypergeom.pmf(k, graded, passed, k) for graded, passed in clusters if graded >= k]
    return {"value": float(numpy.mean(shares)) if shares else None, "scenarios": len(shares)}


def detectable_drop(value, size):
    def lacking(drop):
        found = power_proportions_2indep(-drop, value, size, alpha=0.025, alternative="smaller", return_results=False)
        return float(found) - 0.8

    # At either end the spread of one rate is 0, which statsmodels divides by: a hair inside.
    most = value * (1 - 1e-13)
    if value == 0 or value == 1 or lacking(most) < 0:
        return None
    return brentq(lacking, 1e-9, most, xtol=1e-15, rtol=1e-14)


def paired(before, after):
    return [
        yes / n - was / m for (m, was), (n, yes) in zip(before, after) if m > 0 and n > 0
    ]


def sign_flip(differences):
    if sum(difference != 0 for difference in differences) > 12:
        return None
    moved = numpy.array([difference for difference in differences if abs(difference) > 1e-9])
    if len(moved) == 0:
        return 1.0
    if len(moved) == 1:
        return 1.0
    return float(
        stats.permutation_test(
            (moved,), lambda x, axis: numpy.round(numpy.sum(x, axis=axis), 9), permutation_type="samples",
            n_resamples=numpy.inf, vectorized=True,
        ).pvalue
    )


def a_table(number):
    scenarios, trials = chance.randint(2, 30), chance.randint(1, 5)
    if number % 3 == 0:
        scenarios = chance.randint(2, 12)
    level = chance.choice(LEVELS)
    before, after = a_run(scenarios, trials), a_run(scenarios, trials)
    differences = paired(before, after)
    estimate = rate(before, level)
    lost, won = chance.randint(0, 40), chance.randint(0, 40)
    p_values = [round(chance.random() ** 3, 6) for _ in range(chance.randint(1, 12))]
    return {
        "level": level,
        "before": before,
        "after": after,
        "rate": estimate,
        "pass_hat": [pass_hat(before, k) for k in range(1, trials + 1)],
        "drop": detectable_drop(estimate["value"], estimate["size"]) if estimate else None,
        "has_drop": bool(estimate and 0 < estimate["value"] < 1),
        "sign_flip": sign_flip(differences),
        "mcnemar": {"lost": lost, "won": won, "p": float(mcnemar([[5, lost], [won, 7]], exact=True).pvalue)},
        "holm": {"p": p_values, "adjusted": [float(p) for p in multipletests(p_values, method="holm")[1]]},
    }


def an_expansion(size, level):
    means = [round(chance.gauss(0, 1), 6) for _ in range(101)]
    tail = stats.norm.cdf(-stats.t.ppf((1 + level / 100) / 2, size - 1) * (size / (size - 1)) ** 0.5)
    low, high = numpy.quantile(means, [tail, 1 - tail])
    return {"size": size, "level": level, "means": means, "low": float(low), "high": float(high)}


fixture = {
    "made_with": {name: version(name) for name in ["numpy", "scipy", "statsmodels", "inspect_ai"]},
    "tables": [a_table(number) for number in range(TABLES)],
    "large": [
        {"lost": lost, "won": won, "p": float(2 * stats.binom.cdf(min(lost, won), lost + won, 0.5))}
        for lost, won in [(520, 430), (1200, 1300), (9800, 10200), (2000, 0 + 1700)]
    ],
    "expansions": [an_expansion(size, level) for size in [2, 6, 20, 60] for level in [80, 95, 99]],
}
target = Path(__file__).with_name("independent.json")
target.write_text(json.dumps(fixture, separators=(",", ":")) + "\n")
print(target, target.stat().st_size)
