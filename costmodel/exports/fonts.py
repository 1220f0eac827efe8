"""The fonts of the handout: one that is shipped with the program, and those for East Asian text that readers have.

Latin, Greek and Cyrillic text is set in Source Sans Pro and embedded. Chinese, Japanese and Korean text is set in the
standard fonts that PDF readers bring along. What neither has (Arabic, Devanagari, emoji …) is replaced by a visible
mark, and the file says which characters that were.
"""

from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path

REGULAR, BOLD = "SourceSansPro", "SourceSansPro-Bold"
MARK = "\u2610"
"""Stands for a character that no font has."""
_FILES = {REGULAR: "SourceSansPro-Regular.ttf", BOLD: "SourceSansPro-Bold.ttf"}
_JAPANESE, _CHINESE, _KOREAN = "HeiseiKakuGo-W5", "STSong-Light", "HYSMyeongJo-Medium"
_KANA, _HANGUL = ((0x3040, 0x30FF), (0xFF66, 0xFF9F)), ((0x1100, 0x11FF), (0x3130, 0x318F), (0xAC00, 0xD7AF))
_EAST_ASIAN = (*_KANA, *_HANGUL, (0x3000, 0x303F), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xFF01, 0xFF65))


@cache
def _glyphs() -> frozenset[int]:
    """Registers the fonts, and tells which characters both weights of the embedded one have."""
    import font_source_sans_pro
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    folder = Path(font_source_sans_pro.font_directory)
    fonts = [TTFont(name, str(folder / file)) for name, file in _FILES.items()]
    for font in fonts:
        registerFont(font)
    for name in (_JAPANESE, _CHINESE, _KOREAN):
        registerFont(UnicodeCIDFont(name))
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


def _is_in(character: str, spans: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(character) <= last for first, last in spans)


class Typesetter:
    """Gives every piece of a text a font that has it, and remembers the characters that none has."""

    def __init__(self) -> None:
        self._glyphs = _glyphs()
        self.unprintable: dict[str, None] = {}

    def runs(self, text: str, *, bold: bool = False) -> list[tuple[str, str]]:
        """A text as pieces of one font each, in order: font name and piece."""
        own = BOLD if bold else REGULAR
        foreign = _east_asian_font(text)
        pieces = [self._placed(character, own=own, foreign=foreign) for character in text]
        return [(font, "".join(each for _, each in run)) for font, run in groupby(pieces, key=lambda piece: piece[0])]

    def markup(self, text: str, *, bold: bool = False) -> str:
        """A text as markup for a paragraph that shows exactly that text."""
        return "".join(
            f'<font name="{font}">{escape(piece, quote=False)}</font>' for font, piece in self.runs(text, bold=bold)
        )

    def width(self, text: str, *, size: float, bold: bool = False) -> float:
        """How wide a text is, in points."""
        from reportlab.pdfbase.pdfmetrics import stringWidth

        return float(sum(stringWidth(piece, font, size) for font, piece in self.runs(text, bold=bold)))

    def _placed(self, character: str, *, own: str, foreign: str) -> tuple[str, str]:
        if ord(character) in self._glyphs:
            return own, character
        if _is_in(character, _EAST_ASIAN):
            return foreign, character
        self.unprintable[character] = None
        return own, MARK


def _east_asian_font(text: str) -> str:
    """Han characters look different in each language: kana tell Japanese, hangul Korean, else it is Chinese."""
    if any(_is_in(each, _KANA) for each in text):
        return _JAPANESE
    return _KOREAN if any(_is_in(each, _HANGUL) for each in text) else _CHINESE
