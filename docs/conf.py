"""How the documentation is built: offline, everything executed, warnings are errors."""

import sfumato

project = "sfumato"
author = "the sfumato authors"
version = release = sfumato.__version__
html_title = f"sfumato {version}"

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinxcontrib.bibtex",
]
exclude_patterns = [
    "conftest.py",
    "gallery/*",
    "auto_examples/*.ipynb",
    "auto_examples/*.py*",
    "auto_examples/*.zip",
]
templates_path = ["templates"]

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "header_links_before_dropdown": 5,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}
html_sidebars = {"*": []}  # pages that are not in a folder have no neighbours to list
html_static_path = ["static"]
html_css_files = ["wrap.css"]
html_copy_source = False
html_show_sourcelink = False
copyright = "the sfumato authors, BSD-3-Clause"  # noqa: A001

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "plain"

autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
autodoc_typehints = "none"
autodoc_member_order = "groupwise"

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_examples",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "remove_config_comments": True,
    "min_reported_time": 1e9,
    "write_computation_times": False,
}
suppress_warnings = ["config.cache"]  # functions in the settings of the gallery
