"""Write a figure as a small SVG that can stand in a page and follow its colours."""

import re
from html import escape
from io import StringIO
from typing import Final
from weakref import WeakKeyDictionary

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from sfumato.display.plot.style import COLOURS, RAMP
from sfumato.display.words import legible

__all__ = ["VARIABLES", "inline_svg", "tip"]

# CSS variables of the colours; a page that sets none of them shows the printed colours.
VARIABLES: Final = {colour: f"--sf-{role}" for role, colour in COLOURS.items()} | {
    colour: f"--sf-ramp{at}" for at, colour in enumerate(RAMP)
}
_TIPS: "WeakKeyDictionary[Artist, str]" = WeakKeyDictionary()
_COLOUR = re.compile("|".join(VARIABLES))
_LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")
_GEOMETRY = re.compile(r'\b(d|x|y|x1|y1|x2|y2|width|height|transform|points)="([^"]*)"')
_GROUP_ID = re.compile(r'<g id="[A-Za-z]+[A-Za-z0-9_.]*_\d+">')


def tip(artist: Artist, text: str) -> None:
    """Give an artist a tooltip in SVG; other formats have none."""
    _TIPS[artist] = text


def inline_svg(figure: Figure, name: str, title: str) -> str:
    """The SVG of a figure, without declarations, with ids that start with ``name``."""
    tips: dict[str, str] = {}
    for artist in figure.findobj(lambda each: each in _TIPS):
        gid = f"sfumato-tip-{len(tips)}"
        artist.set_gid(gid)
        tips[gid] = _TIPS[artist]
    out = StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(out, format="svg", transparent=True, metadata=nothing)
    text = out.getvalue()
    text = text[text.index("<svg") :]
    for pattern in (r"<metadata>.*?</metadata>", r"<!--.*?-->", r"<style[^>]*>.*?</style>"):
        text = re.sub(pattern, "", text, flags=re.DOTALL)
    text = _head(text, title)
    text = _GROUP_ID.sub("<g>", text)
    for gid, words in tips.items():
        text = text.replace(f'<g id="{gid}">', f"<g><title>{escape(words)}</title>")
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{escape(name)}-", text)
    text = _GEOMETRY.sub(lambda found: f'{found[1]}="{_rounded(found[2])}"', text)
    text = _COLOUR.sub(lambda found: f"var({VARIABLES[found[0]]},{found[0]})", text)
    text = re.sub(r"font-family: [^;\"]+", "font-family: var(--sf-font,Arial,sans-serif)", text)
    text = re.sub(r"(font: [^;\"]*?px) [^;\"]+", r"\1 var(--sf-font,Arial,sans-serif)", text)
    text = re.sub(r">\s+<", "><", text)
    return legible(text.strip())


def _head(text: str, title: str) -> str:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    assert found is not None  # matplotlib always writes it
    width, height = found.groups()
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width} {height}" width="{width}pt" height="{height}pt" role="img" '
        f'aria-label="{escape(title)}" style="stroke-linejoin:round;max-width:100%;height:auto">'
    )
    return re.sub(r"^<svg[^>]*>", lambda _: head, text)


def _rounded(geometry: str) -> str:
    short = _LONG_NUMBER.sub(lambda n: f"{float(n[0]):.2f}".rstrip("0").rstrip("."), geometry)
    return re.sub(r"\s*([MLCQz])\s*", r"\1", " ".join(short.split()))
