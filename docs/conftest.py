"""Which files hold no examples for doctest: those that Sphinx runs, and those that it makes."""

collect_ignore_glob = ["*.py", "api/*", "auto_examples/*", "gallery/*", "_build/*"]
