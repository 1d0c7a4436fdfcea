"""Closed-form means and variances."""
