"""Makes .doc and .ppt files for tests, byte by byte after Microsoft's published formats: nothing free writes them."""

import struct

_SECTOR = 512
_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_SMALLEST = 4096
"""Streams below this size would go into a stream of their own for small ones; ours are padded instead."""


def compound_file(streams: dict[str, bytes]) -> bytes:
    """A container in the format of [MS-CFB] version 3, its streams side by side in the root."""
    padded = {name: content.ljust(_SMALLEST, b"\0") for name, content in streams.items()}
    sectors: list[bytes] = []
    fat: list[int] = []
    starts = {name: _place(sectors, fat, content) for name, content in padded.items()}
    directory = _entry("Root Entry", 5, child=1)
    for number, (name, content) in enumerate(padded.items(), 1):
        right = number + 1 if number < len(padded) else _FREE
        directory += _entry(name, 2, right=right, start=starts[name], size=len(content))
    first_directory = _place(sectors, fat, directory)
    count = 1
    while count * 128 < len(fat) + count:
        count += 1
    first_fat = len(fat)
    fat += [_FAT] * count
    fat += [_FREE] * (count * 128 - len(fat))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, count, first_directory, 0, _SMALLEST, _END, 0, _END, 0)
    header += struct.pack("<109I", *range(first_fat, first_fat + count), *[_FREE] * (109 - count))
    return header + b"".join(sectors) + struct.pack(f"<{len(fat)}I", *fat)


def _place(sectors: list[bytes], fat: list[int], content: bytes) -> int:
    first = len(fat)
    parts = [content[at : at + _SECTOR].ljust(_SECTOR, b"\0") for at in range(0, len(content), _SECTOR)]
    sectors += parts
    fat += [*range(first + 1, first + len(parts)), _END]
    return first


def _entry(name: str, kind: int, *, child: int = _FREE, right: int = _FREE, start: int = 0, size: int = 0) -> bytes:
    encoded = (name + "\0").encode("utf-16-le")
    head = encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded), kind, 1, _FREE, right, child)
    return head.ljust(116, b"\0") + struct.pack("<IQ", start if kind == 2 else _END, size)


def word_document(pieces: list[str], *, encrypted: bool = False, ident: int = 0xA5EC) -> bytes:
    """A .doc of these pieces: those that fit Latin letters are stored one byte a character, the others two."""
    text = bytearray()
    positions, descriptors = [0], []
    for piece in pieces:
        narrow = all(ord(letter) < 128 for letter in piece)
        place = 0x800 + len(text)
        descriptors.append(place * 2 | 0x40000000 if narrow else place)
        text += piece.encode("ascii" if narrow else "utf-16-le")
        text += bytes(len(text) % 2)
        positions.append(positions[-1] + len(piece))
    plc = struct.pack(f"<{len(positions)}I", *positions)
    plc += b"".join(struct.pack("<HIH", 0, place, 0) for place in descriptors)
    formatting = b"\x01" + struct.pack("<H", 4) + b"\xff" * 4
    clx = formatting + b"\x02" + struct.pack("<I", len(plc)) + plc
    fib = bytearray(0x800)
    struct.pack_into("<H", fib, 0, ident)
    struct.pack_into("<H", fib, 0x0A, 0x0200 | (0x0100 if encrypted else 0))
    struct.pack_into("<II", fib, 0x01A2, 16, len(clx))
    return compound_file({"WordDocument": bytes(fib + text), "1Table": bytes(16) + clx})


def presentation(slides: list[list[str]], dead: str = "", *, encrypted: bool = False) -> bytes:
    """A .ppt of these slides' texts; `dead` is a text that an earlier save held and the last one replaced."""
    stream = bytearray()
    objects = [_container(0x03E8, _container(0x0FF0, *[_atom(slide[0]) for slide in slides]))]
    objects += [_container(0x03EE, _container(0x040C, *map(_atom, slide))) for slide in slides]
    first_edit = 0
    if dead:
        old = _container(0x03EE, _atom(dead))
        first_edit = _save(stream, [objects[0], old], 0)
    last_edit = _save(stream, objects, first_edit)
    user = _record(0x0FF6, struct.pack("<III", 20, 0xF3D1C4DF if encrypted else 0xE391C05F, last_edit))
    return compound_file({"PowerPoint Document": bytes(stream), "Current User": user})


def _save(stream: bytearray, objects: list[bytes], earlier: int) -> int:
    places = []
    for each in objects:
        places.append(len(stream))
        stream += each
    directory = len(stream)
    stream += _record(0x1772, struct.pack(f"<I{len(places)}I", 1 | len(places) << 20, *places))
    edit = len(stream)
    stream += _record(0x0FF5, struct.pack("<IIIIIII", 1, 0, earlier, directory, 1, len(places), 0))
    return edit


def _atom(text: str) -> bytes:
    if all(ord(letter) < 256 for letter in text):
        return _record(0x0FA8, text.encode("latin-1"))
    return _record(0x0FA0, text.encode("utf-16-le"))


def _container(kind: int, *inner: bytes) -> bytes:
    return _record(kind, b"".join(inner), version=0xF)


def _record(kind: int, content: bytes, version: int = 0) -> bytes:
    return struct.pack("<HHI", version, kind, len(content)) + content
