"""HTML that others wrote, made safe for our pages.

Notebooks come from students: what is kept is listed here, and everything else goes. No style sheet, script, form,
frame or event handler stays; pictures must be inside the page; links leave it without telling where they came from.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from typing import Final

import nh3
from pygments.token import STANDARD_TYPES

MAX_BYTES: Final = 20_000_000
UNSHOWABLE: Final = "<p>This notebook's markup is too large or too intricate to be shown here.</p>"

_CPU_S = 10
_WALL_S: Final = 120
_MEMORY_BYTES: Final = 1024**3
_MAX_CLEAN_BYTES: Final = 2 * MAX_BYTES


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEXT_TAGS: Final = _names(
    """
    a abbr b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption
    figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp section small span strong sub summary
    sup table tbody td tfoot th thead time tr u ul var wbr
    """
)
_MATH_TAGS: Final = _names(
    """
    annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow
    ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics
    """
)
_GONE_WITH_CONTENT: Final = _names(
    """
    applet audio canvas embed frameset head iframe map noembed noframes noscript object script select style svg
    template textarea title video xmp
    """
)
_MATH_ATTRIBUTES: Final = _names(
    """
    accent accentunder columnalign columnlines columnspacing columnspan depth dir display displaystyle encoding
    fence form frame height largeop linethickness lspace mathvariant maxsize minsize movablelimits notation
    rowalign rowlines rowspacing rowspan rspace scriptlevel separator stretchy symmetric voffset width
    """
)
_ATTRIBUTES: Final[dict[str, set[str]]] = {
    "*": {"class", "id", "lang", "dir", "title"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height"},
    "td": {"colspan", "rowspan", "headers", "style"},
    "th": {"colspan", "rowspan", "headers", "scope", "style"},
    "col": {"span"},
    "colgroup": {"span"},
    "ol": {"start", "reversed", "type"},
    "li": {"value"},
    "details": {"open"},
    "time": {"datetime"},
    **{tag: set(_MATH_ATTRIBUTES) for tag in _MATH_TAGS},
}
_AUTHORED_ATTRIBUTES: Final = _ATTRIBUTES | {
    "*": _ATTRIBUTES["*"] | {"aria-label"},
    "div": {"role", "tabindex"},
    "pre": {"tabindex"},
}

_CODE_CLASSES: Final = frozenset(STANDARD_TYPES.values())
_NOTEBOOK_CLASS: Final = re.compile(
    r"highlight|hl-\w+|ansi-[\w-]+|language-[\w+-]+|dataframe|border-box-sizing|prompt|inner_cell|rendered|rendered_html"
    r"|cell|(?:code|text)_cell|text_cell_render|input|input_\w+|output|output_\w+",
    re.ASCII,
)
_LINK: Final = re.compile(r"(?:https?://|mailto:)[^\x00-\x20]", re.IGNORECASE)
_PICTURE: Final = re.compile(r"data:image/(?:png|jpeg|svg\+xml);base64,[A-Za-z0-9+/=\s]+", re.ASCII)
# A terminal into which somebody copies text from the page would obey them.
_NO_CONTROLS: Final = dict.fromkeys({*range(32), *range(127, 160)} - set(map(ord, "\t\n\r")))
_RELATIVE: Final = re.compile(r"(?!//|[\\/]\\)[^:\x00-\x20\\]+")


def notebook_html(html: str) -> str:
    """A student's notebook as a safe fragment; UNSHOWABLE where cleaning it would take too much.

    Crafted markup can make any HTML parser need time and memory far beyond its size, so it is parsed in a process
    of its own with limits. That costs about 0.1 s.
    """
    data = html.encode(errors="replace")
    if len(data) > MAX_BYTES:
        return UNSHOWABLE
    command = [sys.executable, "-I", __file__, str(_CPU_S)]
    try:
        cleaned = subprocess.run(command, input=data, capture_output=True, timeout=_WALL_S, check=True).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return UNSHOWABLE
    return cleaned.decode().translate(_NO_CONTROLS)


def clean_notebook(html: str) -> str:
    """What `notebook_html` does, in this process and without limits."""
    return nh3.clean(
        html,
        tags=set(_TEXT_TAGS | _MATH_TAGS),
        clean_content_tags=set(_GONE_WITH_CONTENT),
        attributes=_ATTRIBUTES,
        attribute_filter=_notebook_attribute,
        filter_style_properties={"text-align"},
        url_schemes={"http", "https", "mailto", "data"},
        link_rel="noopener noreferrer nofollow",
    )


def authored_html(html: str) -> str:
    """HTML made from a course author's Markdown: as a notebook's, but classes, ids and links within the site stay."""
    return nh3.clean(
        html,
        tags=set(_TEXT_TAGS | _MATH_TAGS),
        clean_content_tags=set(_GONE_WITH_CONTENT),
        attributes=_AUTHORED_ATTRIBUTES,
        attribute_filter=_authored_attribute,
        filter_style_properties={"text-align"},
        url_schemes={"http", "https", "mailto", "data"},
        link_rel="noopener noreferrer",
    )


def _notebook_attribute(tag: str, name: str, value: str) -> str | None:
    match name:
        case "href":
            if value.startswith("#"):
                return f"#nb-{value[1:]}"
            return value if _LINK.match(value) else None
        case "src":
            return value if _PICTURE.fullmatch(value) else None
        case "id":  # never an id that the page around it uses
            return f"nb-{value}"
        case "class":
            return " ".join(word for word in value.split() if _is_notebook_class(word)) or None
        case _:
            return value


def _is_notebook_class(word: str) -> bool:
    return word in _CODE_CLASSES or _NOTEBOOK_CLASS.fullmatch(word) is not None


def _authored_attribute(tag: str, name: str, value: str) -> str | None:
    match name:
        case "href":
            return value if value.startswith("#") or _LINK.match(value) or _RELATIVE.fullmatch(value) else None
        case "src":
            return value if _PICTURE.fullmatch(value) or _RELATIVE.fullmatch(value) else None
        case _:
            return value


def _main() -> None:
    seconds = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cleaned = clean_notebook(sys.stdin.buffer.read().decode()).encode()
    if len(cleaned) > _MAX_CLEAN_BYTES:
        sys.exit(1)
    sys.stdout.buffer.write(cleaned)


if __name__ == "__main__":
    _main()
