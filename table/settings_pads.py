"""The settings of the pads: which driver, on which pins. `settings.py` reads them with the rest."""

from engine import is_whole

ELECTRODES = 12  # of one MPR121


def words(text):
    """The words of a list, between commas or spaces."""
    return text.replace(",", " ").split()


def read_pads(reader):
    """Sets `pads` (the driver), `pad_pins` (touchio: the pads' in ring order; mpr121: SDA and SCL), `pad_pull`,
    `addresses` of the MPR121 chips, and `electrodes`: that of each hole, ELECTRODES * chip + its number there."""
    n = reader.holes
    reader.pads = reader._one_of("GEBETA_PADS", ("touchio", "mpr121"))
    reader.pad_pull = reader._one_of("GEBETA_PAD_PULL", ("down", "up"))
    reader.addresses = _addresses(reader)
    reader.electrodes = _electrodes(reader, n)
    pins = _pins(reader, n)
    bus = _bus(reader)
    reader.pad_pins = bus if reader.pads == "mpr121" else pins
    if reader.led_pin in reader.pad_pins:
        if reader.pads == "mpr121":
            default = _bus_default()
            used = "GP28, with the chips on GP20 and GP21,"
        else:
            default = _pins_default(n)
            used = "GP28, with pads from GP0 upwards,"
        reader._wrong("GEBETA_LED_PIN", reader.led_pin, "a pin that is no pad's", used)
        reader.led_pin = "GP28"
        reader.pad_pins = default


def _pins_default(n):
    """24 pads leave out GP23 to GP25, which stay on the module."""
    return ["GP%d" % (i if i < 23 else i + 3) for i in range(n)]


def _pins(reader, n):
    key = "GEBETA_PAD_PINS"
    value = reader._value(key)
    if value is None:
        return _pins_default(n)
    pins = []
    for word in words(value.upper()):
        if reader._is_pin(word) and word not in pins:
            pins.append(word)
    if len(pins) == n and len(words(value)) == n:
        return pins
    reader._wrong(key, value, "%d different pins, GP0 to GP28, in ring order" % n, "GP0 upwards")
    return _pins_default(n)


def _bus_default():
    return ["GP20", "GP21"]


def _bus(reader):
    """SDA and SCL: an even pin and an odd one that belong to the same I2C of the Pico."""
    key = "GEBETA_MPR121_PINS"
    value = reader._value(key)
    if value is None:
        return _bus_default()
    pins = words(value.upper())
    if len(pins) == 2 and reader._is_pin(pins[0]) and reader._is_pin(pins[1]):
        sda = int(pins[0][2:])
        scl = int(pins[1][2:])
        if sda % 2 == 0 and scl % 4 == sda % 4 + 1:
            return pins
    allowed = "SDA and SCL of one I2C, such as GP20,GP21 or GP26,GP27"
    reader._wrong(key, value, allowed, "GP20,GP21")
    return _bus_default()


def _addresses(reader):
    key = "GEBETA_MPR121"
    default = bytes((0x5A, 0x5B))
    value = reader._value(key)
    if value is None:
        return default
    found = []
    for word in words(value.upper()):
        if word[:2] == "0X":
            word = word[2:]
        if word in ("5A", "5B", "5C", "5D") and int(word, 16) not in found:
            found.append(int(word, 16))
    if len(found) == len(words(value)) and len(found) >= 2:
        return bytes(found)
    reader._wrong(key, value, "two to four different ones of 0x5A, 0x5B, 0x5C, 0x5D", "0x5A,0x5B")
    return default


def _electrodes(reader, n):
    key = "GEBETA_MPR121_ELECTRODES"
    value = reader._value(key)
    if value is None:
        return bytes(range(n))
    total = ELECTRODES * len(reader.addresses)
    found = []
    for word in words(value):
        if is_whole(word) and int(word) < total and int(word) not in found:
            found.append(int(word))
    if len(found) == n and len(words(value)) == n:
        return bytes(found)
    allowed = "%d different electrodes, 0 to %d, in ring order" % (n, total - 1)
    reader._wrong(key, value, allowed, "0 upwards")
    return bytes(range(n))
