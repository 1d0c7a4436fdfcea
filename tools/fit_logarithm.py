r"""Fit the logarithm by sums of exponentials and write the fits, with certified errors, as data.

.. math:: \log x \approx c + \sum_q w_q e^{-t_q x}

on the intervals [1, ratio] and on the integers from 1 to a few hundred. The logarithms of the rates
t lie on a cubic, whose coefficients are searched for; c and w follow by least squares. The error
of the numbers as stored is bounded in 50-digit arithmetic: on integers by evaluation, on intervals
by Taylor polynomials with their remainders. Sums of exponentials approximate completely monotone
functions exponentially well (Braess & Hackbusch 2005, for 1/x).

Run ``python tools/fit_logarithm.py`` from the root; it takes a minute and needs SciPy.
"""

import json
import math
from decimal import Decimal, getcontext
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

TARGET = Path("src/sfumato/algorithms/moments/logarithm_fits.json")
# Largest x and number of rates; of the fits that reach far enough the first is used.
INTERVALS = (
    *((1.125, 7), (1.25, 8), (1.5, 10), (2.0, 11)),
    *((3.0, 13), (5.0, 15), (9.0, 18), (16.0, 20)),
)
INTEGERS = ((64, 22), (320, 28))
STARTS = ((0.3, 20.0), (1.0, 8.0), (0.05, 30.0))  # smallest rate times the largest x, largest rate
TERMS = 14


def solve(x, rates):
    """Least squares for the constant and the weights, refined once."""
    columns = np.concatenate([np.ones((len(x), 1)), np.exp(-np.outer(x, rates))], axis=1)
    scale = np.linalg.norm(columns, axis=0)
    u, s, v = np.linalg.svd(columns / scale, full_matrices=False)
    keep = s > 1e-15 * s[0]
    found = np.zeros(columns.shape[1])
    for _ in range(3):
        rest = np.log(x) - columns @ found
        found += v[keep].T @ (u[:, keep].T @ rest / s[keep]) / scale
    return found, float(np.abs(np.log(x) - columns @ found).max())


def rates_of(cubic, n_rates):
    """Rates whose logarithms lie on a cubic."""
    t = np.linspace(-1.0, 1.0, n_rates)
    return np.exp(np.polyval(cubic, t))


def fit(x, n_rates):
    """Constant, weights and rates with the smallest error that the search finds."""

    def objective(cubic):
        rates = rates_of(cubic, n_rates)
        if rates.max() > 200 or rates.min() < 1e-9:
            return 10.0
        found, error = solve(x, rates)
        # Small weights keep the rounding of the sum small.
        return math.log10(error + 1e-17) + 0.02 * math.log10(np.abs(found).max())

    best = None
    for low, high in STARTS:
        ends = math.log(low / x[-1]), math.log(high)
        start = np.array([0.0, 0.0, (ends[1] - ends[0]) / 2, (ends[1] + ends[0]) / 2])
        simplex = np.concatenate([[start], start + np.diag([0.3, 0.3, 0.5, 0.5])])
        options = {"maxiter": 300, "initial_simplex": simplex}
        found = minimize(objective, start, method="Nelder-Mead", options=options)
        if best is None or found.fun < best.fun:
            best = found
    rates = rates_of(best.x, n_rates)
    coefficients, _ = solve(x, rates)
    return float(coefficients[0]), coefficients[1:].tolist(), rates.tolist()


def derivatives(x, constant, weights, rates):
    """Those of orders 0 to TERMS - 1 of log minus its fit, divided by the factorials."""
    terms = [w * (-t * x).exp() for w, t in zip(weights, rates, strict=True)]
    found = [x.ln() - constant - sum(terms)]
    for order in range(1, TERMS):
        terms = [-term * t / order for term, t in zip(terms, rates, strict=True)]
        found.append(Decimal((-1) ** (order - 1)) / (order * x**order) - sum(terms))
    return found


def certify(points, constant, weights, rates, *, halves):
    """Bound of the error near each point, within a relative distance of ``halves``."""
    constant = Decimal(constant)
    weights, rates = ([Decimal(v) for v in values] for values in (weights, rates))
    worst = Decimal(0)
    for point in points:
        x = Decimal(point)
        if not halves:
            worst = max(worst, abs(derivatives(x, constant, weights, rates)[0]))
            continue
        h = x * halves
        taylor = derivatives(x, constant, weights, rates)
        bound = sum(abs(d) * h**order for order, d in enumerate(taylor))
        # Remainders: |f^(k)| h^k / k! at the near end of the interval, where both are largest.
        near = x - h
        bound += (h / near) ** TERMS / TERMS
        bound += sum(
            abs(w) * (-t * near).exp() * (t * h) ** TERMS / math.factorial(TERMS)
            for w, t in zip(weights, rates, strict=True)
        )
        worst = max(worst, bound)
    return float(worst) * 1.001  # room for the rounding of what is printed


def main():
    """Fit, certify, write."""
    getcontext().prec = 50
    rows = []
    for largest, n_rates in INTERVALS:
        angle = np.pi * (np.arange(300) + 0.5) / 300
        x = np.exp(math.log(largest) * (1 - np.cos(angle)) / 2)
        found = fit(x, n_rates)
        halves = Decimal(1) / 400
        points, at = [], 1.0
        while at * (1 - float(halves)) <= largest:
            points.append(at)
            at *= 1 + 1.99 * float(halves)
        rows.append((largest, False, certify(points, *found, halves=halves), found))
    for largest, n_rates in INTEGERS:
        found = fit(np.arange(1.0, largest + 1.0), n_rates)
        error = certify(range(1, largest + 1), *found, halves=0)
        rows.append((float(largest), True, error, found))
    lines = []
    for largest, is_discrete, error, (constant, weights, rates) in rows:
        print(
            f"to {largest:g}: {len(rates)} rates up to {max(rates):.3g}, weights within "
            f"{max(map(abs, weights)):.3g}, error {error:.2g}"
        )
        row = {"largest": largest, "is_discrete": is_discrete, "error": float(f"{error:.4g}")}
        row |= {"constant": constant, "rates": list(rates), "weights": list(weights)}
        lines.append(json.dumps(row))
    TARGET.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
