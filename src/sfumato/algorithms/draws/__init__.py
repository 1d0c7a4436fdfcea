"""Draws of hard clusterings: their tables, and a clustering that is near to all of them."""
