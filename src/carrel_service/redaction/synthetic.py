"""Stand-ins for what was redacted: invented values of the same kind, so that a text still reads."""

from .redactor import Numbered

_NAMES = ("Alex Morgan", "Robin Hale", "Kim Larsen", "Jo Winter", "Sam Doyle", "Chris Vale")
_FIRMS = ("Northwind Ltd", "Bluebird Ltd", "Larkfield Ltd", "Oakmere Ltd")
_PLACES = ("Springfield", "Riverton", "Ashford", "Lakeside")


def stand_in(kind: str, number: int) -> str:
    """The stand-in for the `number`th value of a kind, from 1; addresses and numbers are of the ranges kept free."""
    invented = {
        "PERSON": _turn(_NAMES, number),
        "ORGANISATION": _turn(_FIRMS, number),
        "PLACE": _turn(_PLACES, number),
        "EMAIL": f"person{number}@example.com",
        "PHONE": f"+44 20 7946 {number % 1000:04d}",
        "IP": f"192.0.2.{number % 255}",
        "ADDRESS": f"{number} Example Street",
        "DATE_OF_BIRTH": f"1 January {1970 + number % 30}",
        "CARD": f"0000 0000 0000 {number % 10_000:04d}",
        "IBAN": f"XX00 0000 0000 {number % 10_000:04d}",
    }
    return invented.get(kind, f"{kind.lower().replace('_', '-')}-{number}")


class StandIns:
    """The stand-in of each text: the same text always has the same one."""

    def __init__(self) -> None:
        self._numbered = Numbered()

    def __call__(self, kind: str, text: str) -> str:
        """The stand-in for this text."""
        return stand_in(kind, int(self._numbered(kind, text).rstrip("]").rpartition("_")[2]))


def _turn(choices: tuple[str, ...], number: int) -> str:
    chosen = choices[(number - 1) % len(choices)]
    again = (number - 1) // len(choices)
    return f"{chosen} {again + 1}" if again else chosen
