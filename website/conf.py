"""How Sphinx makes the site; `make site` calls it."""

from __future__ import annotations

import sys
from pathlib import Path

import freebody

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

project = "freebody"
version = release = freebody.__version__
author = "The freebody developers"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_design",
    "website.mathml",
]
html_math_renderer = "freebody"
suppress_warnings = ["misc.highlighting_failure"]  # blocks that show a part of a file with "…"

myst_enable_extensions = ["dollarmath", "colon_fence", "attrs_block"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "exclude-members": "model_config"}
add_module_names = False
default_role = "py:obj"
numpydoc_show_class_members = False  # autodoc shows them

html_theme = "furo"
html_title = "freebody"
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
