"""Numbers as people read them in a sentence. The page's own formatting is in ui/text.py."""

from costmodel.language import number_text, say, spoken
from costmodel.units import PERCENT


def percent_text(share: float) -> str:
    """A fraction in percent, with as many digits as matter; never rounded onto 100 or 0 from either side.

    >>> percent_text(1.58), percent_text(0.764087), percent_text(1.0004), percent_text(0.0257), percent_text(0.6)
    ('158 %', '76.4 %', '100.04 %', '2.57 %', '60 %')
    >>> percent_text(0.999999), percent_text(0.00001), percent_text(0)
    ('99.9999 %', '0.001 %', '0 %')
    """
    value = share * PERCENT
    for digits in range(0 if value >= PERCENT else 1 if value >= 10 else 2, 13):
        text = f"{value:,.{digits}f}"
        if float(text.replace(",", "")) not in (0, PERCENT) or value in (0, PERCENT):
            return f"{number_text(text.rstrip('0').rstrip('.') if '.' in text else text)} %"
    return f"{number_text(f'{value:.3g}')} %"


def usd_text(value: float) -> str:
    """Dollars with the digits that matter.

    >>> usd_text(880_128), usd_text(46.7047), usd_text(0.458452), usd_text(0.003), usd_text(0)
    ('$880,128', '$46.70', '$0.458', '$0.003', '$0')
    """
    if value == 0:
        return _dollars("0")
    if abs(value) >= 1_000:
        return _dollars(f"{value:,.0f}")
    if abs(value) >= 1:
        return _dollars(f"{value:,.2f}")
    text = f"{value:.3g}"
    return _dollars(f"{float(text):f}".rstrip("0") if "e" in text else text)


def marked(number: str, *, currency: str) -> str:
    """A number's text with the mark of its currency: before it in English, after it in the other languages.

    >>> marked("33,900", currency="€")
    '€33,900'
    """
    return f"{currency}{number}" if spoken() == "en" else f"{number} {currency}"


def _dollars(english: str) -> str:
    return marked(number_text(english), currency="$")


def count_text(value: float) -> str:
    """A count without digits nobody needs.

    >>> count_text(740_659.2), count_text(300), count_text(37.5)
    ('740,659', '300', '37.5')
    """
    return number_text(f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:,.3g}")


def commitment_label(commitment: str) -> str:
    """How long a rental binds, as a reader sees it.

    >>> commitment_label("reserved_1y")
    'reserved 1y'
    """
    known = {
        "on_demand": say("on demand"),
        "reserved_1y": say("reserved 1y"),
        "reserved_3y": say("reserved 3y"),
        "spot": say("spot"),
        "cluster": say("cluster"),
    }
    return known.get(commitment, commitment)
