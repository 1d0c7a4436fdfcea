"""``python -m sfumato`` is the command ``sfumato``."""

from sfumato.cli import app

if __name__ == "__main__":
    app()
