def _make():
    names = {}

    class UUID:
        def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None):
            given = [hex, bytes, bytes_le, fields, int].count(None)
            if given != 4:
                raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
            if hex is not None:
                digits = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
                if len(digits) != 32:
                    raise ValueError("badly formed hexadecimal UUID string")
                number = names["int"](digits, 16)
            elif bytes is not None:
                if len(bytes) != 16:
                    raise ValueError("bytes is not a 16-char string")
                number = names["from_bytes"](bytes)
            elif bytes_le is not None:
                if len(bytes_le) != 16:
                    raise ValueError("bytes_le is not a 16-char string")
                le = list(bytes_le)
                number = names["from_bytes"](le[3::-1] + le[5:3:-1] + le[7:5:-1] + le[8:])
            elif fields is not None:
                if len(fields) != 6:
                    raise ValueError("fields is not a 6-tuple")
                number = 0
                for value, bits in zip(fields, (32, 16, 16, 8, 8, 48)):
                    if not 0 <= value < 1 << bits:
                        raise ValueError("field out of range")
                    number = (number << bits) | value
            else:
                number = int
                if not 0 <= number < 1 << 128:
                    raise ValueError("int is out of range (need a 128-bit value)")
            if version is not None:
                if not 1 <= version <= 8:
                    raise ValueError("illegal version number")
                number = number & ~(0xC000 << 48) | (0x8000 << 48)
                number = number & ~(0xF000 << 64) | (version << 76)
            self.int = number
            self.hex = f"{number:032x}"
            h = self.hex
            self._text = h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
            self.urn = "urn:uuid:" + self._text
            self.time_low = number >> 96
            self.time_mid = (number >> 80) & 0xFFFF
            self.time_hi_version = (number >> 64) & 0xFFFF
            self.clock_seq_hi_variant = (number >> 56) & 0xFF
            self.clock_seq_low = (number >> 48) & 0xFF
            self.node = number & 0xFFFFFFFFFFFF
            self.clock_seq = ((self.clock_seq_hi_variant & 0x3F) << 8) | self.clock_seq_low
            self.time = ((self.time_hi_version & 0x0FFF) << 48) | (self.time_mid << 32) | self.time_low
            self.fields = (self.time_low, self.time_mid, self.time_hi_version,
                           self.clock_seq_hi_variant, self.clock_seq_low, self.node)
            top = self.clock_seq_hi_variant
            if not top & 0x80:
                self.variant = names["NCS"]
            elif not top & 0x40:
                self.variant = names["RFC"]
            elif not top & 0x20:
                self.variant = names["MICROSOFT"]
            else:
                self.variant = names["FUTURE"]
            self.version = (number >> 76) & 15 if self.variant == names["RFC"] else None
            self.bytes = names["bytes"].fromhex(self.hex)

        def __str__(self):
            return self._text

        def __repr__(self):
            return "UUID('" + self._text + "')"

        def __int__(self):
            return self.int

        def __eq__(self, other):
            return isinstance(other, UUID) and self.int == other.int

        def __hash__(self):
            return hash(self.int)

    def from_bytes(octets):
        number = 0
        for octet in octets:
            number = (number << 8) | octet
        return number

    names["int"] = int
    names["from_bytes"] = from_bytes
    names["bytes"] = bytes
    names["NCS"] = "reserved for NCS compatibility"
    names["RFC"] = "specified in RFC 4122"
    names["MICROSOFT"] = "reserved for Microsoft compatibility"
    names["FUTURE"] = "reserved for future definition"

    def uuid4():
        return UUID(bytes=_uuid_random_(), version=4)

    def named(namespace, name, digest, version):
        if isinstance(name, str):
            name = name.encode("utf-8")
        return UUID(bytes=digest(namespace.bytes + name)[:16], version=version)

    def uuid3(namespace, name):
        return named(namespace, name, _uuid_md5_, 3)

    def uuid5(namespace, name):
        return named(namespace, name, _uuid_sha1_, 5)

    class Module:
        def __init__(self):
            self.UUID = UUID
            self.uuid3 = uuid3
            self.uuid4 = uuid4
            self.uuid5 = uuid5
            self.NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
            self.NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
            self.NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
            self.NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")
            self.NIL = UUID(int=0)
            self.MAX = UUID(int=(1 << 128) - 1)
            self.RESERVED_NCS = names["NCS"]
            self.RFC_4122 = names["RFC"]
            self.RESERVED_MICROSOFT = names["MICROSOFT"]
            self.RESERVED_FUTURE = names["FUTURE"]

        def __repr__(self):
            return "<module 'uuid'>"

    return Module()
