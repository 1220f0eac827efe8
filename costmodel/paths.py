"""Where the files that travel with the package lie: in its bundle when installed, else in the repository."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
BUNDLE = PACKAGE / "bundle"
ROOT = BUNDLE if BUNDLE.is_dir() else PACKAGE.parent

APP = ROOT / "app.py"
PRICES = ROOT / "prices"
