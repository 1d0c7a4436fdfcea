"""The ways to answer a question, one file each; `registry.py` lists them for the planner."""
