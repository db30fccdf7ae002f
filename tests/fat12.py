"""Reads the drive out of a UF2, without the library that wrote it: blocks to an image, FAT12 to {path: bytes}."""

import struct

XIP = 0x10000000


def image(uf2, start, size):
    """What the flash holds from `start` on, once a Pico has taken this UF2; the rest is erased (0xFF)."""
    flash = bytearray(b"\xff" * size)
    count = len(uf2) // 512
    for i in range(count):
        block = uf2[512 * i : 512 * i + 512]
        magic, second, flags, address, length, number, total, family = struct.unpack_from("<8I", block)
        assert (magic, second, flags) == (0x0A324655, 0x9E5D5157, 0x2000)
        assert (number, total, family) == (i, count, 0xE48BFF56)
        at = address - XIP - start
        if 0 <= at < size:
            flash[at : at + length] = block[32 : 32 + length]
    return bytes(flash)


def files(volume):
    """{path: bytes} of a FAT12 volume with long names."""
    sector, per_cluster, reserved, fats, roots = struct.unpack_from("<HBHBH", volume, 11)
    (fat_sectors,) = struct.unpack_from("<H", volume, 22)
    root = (reserved + fats * fat_sectors) * sector
    data = root + roots * 32
    fat = volume[reserved * sector :]

    def chain(cluster):
        while 2 <= cluster < 0xFF8:
            at = data + (cluster - 2) * sector * per_cluster
            yield volume[at : at + sector * per_cluster]
            pair = fat[cluster * 3 // 2] | fat[cluster * 3 // 2 + 1] << 8
            cluster = pair >> 4 if cluster & 1 else pair & 0xFFF

    def entries(table):
        long = ""
        for at in range(0, len(table), 32):
            entry = table[at : at + 32]
            if entry[0] == 0:
                return
            if entry[11] == 0x0F:
                part = (entry[1:11] + entry[14:26] + entry[28:32]).decode("utf-16-le")
                long = part.split("\0")[0] + long
                continue
            short = entry[:8].decode().strip() + ("." + entry[8:11].decode().strip()).rstrip(".")
            cluster, size = struct.unpack_from("<HI", entry, 26)
            if not entry[11] & 8 and entry[0] != ord("."):
                yield long or short, entry[11] & 0x10, cluster, size
            long = ""

    def walk(table, prefix):
        for name, folder, cluster, size in entries(table):
            held = b"".join(chain(cluster))
            if folder:
                yield from walk(held, prefix + name + "/")
            else:
                yield prefix + name, held[:size]

    return dict(walk(volume[root:data], ""))
