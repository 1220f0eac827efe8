"""Files that come out the same each time: no clock in them."""

import io
import re
import zipfile
from datetime import date

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(<)")
_BOOK = ".xlsx"


def steady_package(package: bytes, *, on: date) -> bytes:
    """An Office file with this day as the day it was made, in its own books of chart data, too."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as parts, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as steady:
        for name in parts.namelist():
            content = parts.read(name)
            if name.endswith(_BOOK):
                content = steady_package(content, on=on)
            elif name == "docProps/core.xml":
                content = _STAMP.sub(rb"\g<1>" + f"{on.isoformat()}T00:00:00Z".encode() + rb"\g<2>", content)
            part = zipfile.ZipInfo(name, date_time=_EARLIEST)
            part.compress_type = zipfile.ZIP_DEFLATED
            steady.writestr(part, content)
    return out.getvalue()
