"""Closed-form means and variances of measures between fuzzy partitions."""
