#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the vector files of hashes/sm3, hashes/sha2 and hashes/openssl, or checks them byte for byte.

Digests of whole-byte messages come from OpenSSL (through hashlib, else `openssl dgst`). Digests of
messages that end inside a byte come from the models below, written from the standards; before they
are trusted they must agree with OpenSSL on every length of 0..300 bytes, with the examples that the
standards publish, and with the rows of tests/fixtures/vectors. Nothing here is the C code under test.

What is measured of OpenSSL itself has no digest of OpenSSL: SM3 and SHA-256 come from the models, the others from the
implementations that CPython brings of its own, which must agree with the examples that the standards publish.

usage: make_vectors.py --check|--write HASHES_FOLDER FIXTURES_FOLDER
"""
import _blake2
import _sha3
import _sha512
import hashlib
import pathlib
import subprocess
import sys

MASK = 0xFFFFFFFF

# Published examples: bits, message, digest.
PUBLISHED = {
    "SM3": [  # GB/T 32905-2016, annex A
        (24, "616263", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
        (512, "61626364" * 16, "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"),
    ],
    "SHA-256": [  # FIPS 180-4 examples of NIST; then the SHAVS examples repeated in RFC 6234
        (24, b"abc".hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (448, b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".hex(),
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        (5, "68", "d6d3e02a31a84a8caa9718ed6c2057be09db45e7823eb5079ce7a573a3760f95"),
        (8, "19", "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4"),
        (128, "e3d72570dcdd787ce3887ab2cd684652",
         "175ee69b02ba9b58e2b0a5fd13819cea573f3940a94f825128cf4209beabb4e8"),
        (123, "be2746c6db52765fdb2f88700f9a7360",
         "77ec1dc89c821ff2a1279089fa091b35b8cd960bcaf7de01c6a7680756beb972"),
    ],
}

# Published examples: message, digest. FIPS 180-4, FIPS 202 and RFC 7693 (NIST's and the RFC's own).
PUBLISHED_OF_OPENSSL = {
    "SHA-512": [(b"abc", "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                         "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")],
    "SHA3-256": [(b"", "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
                 (b"abc", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532")],
    "SHA3-512": [(b"", "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
                       "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"),
                 (b"abc", "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
                          "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0")],
    "BLAKE2b-512": [(b"abc", "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                             "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923")],
    "SHAKE256": [(b"", "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
                       "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be")],
}
OUTPUT_BITS = [8, 136, 256, 512, 768, 1024, 1088, 1096, 2048, 8192]

BYTE_LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 47, 48, 54, 55, 56, 57, 62, 63, 64, 65, 66,
                111, 112, 118, 119, 120, 121, 126, 127, 128, 129, 183, 184, 185, 191, 192, 193, 247,
                248, 255, 256, 257, 299, 300, 512, 1000, 1024, 4096, 8192, 16384, 65536, 1048576]
BIT_LENGTHS = sorted(set([*range(1, 33), *range(438, 458), *range(502, 522), *range(950, 970),
                          *range(1014, 1034), 2047, 2049, 4095, 4097, 32767, 32769]))


def rol(x, n):
    n %= 32
    return ((x << n) | (x >> (32 - n))) & MASK


def roots(count, power):
    """First 32 bits of the fractional parts of the square (2) or cube (3) roots of the first primes."""
    primes, n = [], 2
    while len(primes) < count:
        if all(n % p for p in primes):
            primes.append(n)
        n += 1
    found = []
    for prime in primes:
        target, low, high = prime << (32 * power), 0, 1 << 40
        while low < high:  # integer root by bisection: no rounding anywhere
            middle = (low + high + 1) // 2
            low, high = (middle, high) if middle**power <= target else (low, middle - 1)
        found.append(low & MASK)
    return found


def padded(message, bits):
    """The message as one integer string of bits, padded as both standards say: 1, zeros, length."""
    text = "".join(f"{byte:08b}" for byte in message)[:bits] + "1"
    text += "0" * ((448 - len(text)) % 512) + f"{bits:064b}"
    return [[int(text[i + 32 * j:i + 32 * j + 32], 2) for j in range(16)] for i in range(0, len(text), 512)]


def sm3_model(message, bits):
    state = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
    for w in padded(message, bits):
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ rol(w[j - 3], 15)
            w.append(x ^ rol(x, 15) ^ rol(x, 23) ^ rol(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = state
        for j in range(64):
            early = j < 16
            ss1 = rol((rol(a, 12) + e + rol(0x79CC4519 if early else 0x7A879D8A, j)) & MASK, 7)
            ff = a ^ b ^ c if early else (a & b) | (a & c) | (b & c)
            gg = e ^ f ^ g if early else (e & f) | (~e & MASK & g)
            tt1 = (ff + d + (ss1 ^ rol(a, 12)) + (w[j] ^ w[j + 4])) & MASK
            tt2 = (gg + h + ss1 + w[j]) & MASK
            a, b, c, d, e, f, g, h = tt1, a, rol(b, 9), c, tt2 ^ rol(tt2, 9) ^ rol(tt2, 17), e, rol(f, 19), g
        state = [x ^ y for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return "".join(f"{x:08x}" for x in state)


SHA256_K = roots(64, 3)
SHA256_H = roots(8, 2)


def sha256_model(message, bits):
    state = list(SHA256_H)
    ror = lambda x, n: rol(x, 32 - n)
    for w in padded(message, bits):
        for t in range(16, 64):
            s0 = ror(w[t - 15], 7) ^ ror(w[t - 15], 18) ^ w[t - 15] >> 3
            s1 = ror(w[t - 2], 17) ^ ror(w[t - 2], 19) ^ w[t - 2] >> 10
            w.append((s1 + w[t - 7] + s0 + w[t - 16]) & MASK)
        a, b, c, d, e, f, g, h = state
        for t in range(64):
            t1 = (h + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & f) ^ (~e & MASK & g)) + SHA256_K[t] + w[t]) & MASK
            t2 = ((ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) & MASK
            a, b, c, d, e, f, g, h = (t1 + t2) & MASK, a, b, c, (d + t1) & MASK, e, f, g
        state = [(x + y) & MASK for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return "".join(f"{x:08x}" for x in state)


def openssl(name, message):
    try:
        return hashlib.new(name, message).hexdigest()
    except ValueError:  # a hashlib whose OpenSSL was built without this hash
        run = subprocess.run(["openssl", "dgst", f"-{name}", "-r"], input=message, capture_output=True, check=True)
        return run.stdout.split()[0].decode()


def pattern(length):
    return bytes((131 * i + length) % 256 for i in range(length))


def fixture_rows(path):
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return [(int(bits), message, digest) for _, bits, message, digest in rows]


def check_model(instance, openssl_name, model, extra):
    for length in range(301):
        message = pattern(length)
        assert model(message, 8 * length) == openssl(openssl_name, message), f"{instance}: {length} bytes"
    for bits, message, digest in PUBLISHED[instance] + extra:
        data = pattern((bits + 7) // 8) if message == "pattern" else bytes.fromhex(message)
        assert model(data, bits) == digest, f"{instance}: published example of {bits} bits"


def surplus(bits):
    """A message whose bits beyond its length are all 1: who reads them gets another digest."""
    message = bytearray(hashlib.sha256(f"surplus {bits}".encode()).digest() * (bits // 256 + 1))[:(bits + 7) // 8]
    message[-1] |= 0xFF >> (bits % 8)
    return bytes(message)


def table(instance, openssl_name, model, extra):
    check_model(instance, openssl_name, model, extra)
    rows = [(bits, message, digest) for bits, message, digest in PUBLISHED[instance] + extra]
    rows += [(8 * n, "pattern", openssl(openssl_name, pattern(n))) for n in BYTE_LENGTHS]
    for bits in BIT_LENGTHS:
        if bits % 8 != 0:
            rows.append((bits, "pattern", model(pattern((bits + 7) // 8), bits)))
            rows.append((bits, surplus(bits).hex(), model(surplus(bits), bits)))
    unique = list(dict.fromkeys(rows))
    lines = ["instance\tmessage_bits\tmessage\tdigest"]
    lines += [f"{instance}\t{bits}\t{message}\t{digest}" for bits, message, digest in unique]
    return ("\n".join(lines) + "\n").encode()


OWN_OF_CPYTHON = {
    "SHA-512": lambda message, _: _sha512.sha512(message).hexdigest(),
    "SHA3-256": lambda message, _: _sha3.sha3_256(message).hexdigest(),
    "SHA3-512": lambda message, _: _sha3.sha3_512(message).hexdigest(),
    "BLAKE2b-512": lambda message, _: _blake2.blake2b(message).hexdigest(),
    "SHAKE256": lambda message, bits: _sha3.shake_256(message).hexdigest(bits // 8),
}


def openssl_table():
    rows = []
    for instance, model in (("SM3", sm3_model), ("SHA-256", sha256_model)):
        rows += [(instance, bits, message, digest) for bits, message, digest in PUBLISHED[instance] if bits % 8 == 0]
        rows += [(instance, 8 * n, "pattern", model(pattern(n), 8 * n)) for n in BYTE_LENGTHS if n <= 16384]
    for instance, digest_of in OWN_OF_CPYTHON.items():
        for message, digest in PUBLISHED_OF_OPENSSL[instance]:
            assert digest_of(message, 512) == digest, f"{instance}: published example {message}"
        if instance != "SHAKE256":
            rows += [(instance, 8 * len(m), m.hex() or "pattern", digest) for m, digest in PUBLISHED_OF_OPENSSL[instance]]
            rows += [(instance, 8 * n, "pattern", digest_of(pattern(n), 512)) for n in BYTE_LENGTHS]
    lines = ["instance\tmessage_bits\tmessage\tdigest"]
    lines += ["\t".join(map(str, row)) for row in dict.fromkeys(rows)]
    return ("\n".join(lines) + "\n").encode()


def openssl_xof_table():
    digest_of = OWN_OF_CPYTHON["SHAKE256"]
    lines = ["instance\tmessage_bits\tmessage\toutput_bits\tdigest"]
    for length in (0, 1, 135, 136, 137, 1000, 65536):
        for bits in OUTPUT_BITS:
            lines.append(f"SHAKE256\t{8 * length}\tpattern\t{bits}\t{digest_of(pattern(length), bits)}")
    return ("\n".join(lines) + "\n").encode()


def main(arguments):
    if len(arguments) != 3 or arguments[0] not in ("--check", "--write"):
        sys.exit(__doc__)
    hashes, fixtures = pathlib.Path(arguments[1]), pathlib.Path(arguments[2])
    extra = fixture_rows(fixtures / "vectors" / "sm3_bit_lengths.tsv")
    made = {
        hashes / "sm3" / "sm3_vectors.tsv": table("SM3", "sm3", sm3_model, extra),
        hashes / "sha2" / "sha256_vectors.tsv": table("SHA-256", "sha256", sha256_model, []),
        hashes / "openssl" / "openssl_vectors.tsv": openssl_table(),
        hashes / "openssl" / "openssl_xof_vectors.tsv": openssl_xof_table(),
    }
    for path, content in made.items():
        if arguments[0] == "--write":
            path.write_bytes(content)
        elif path.read_bytes() != content:
            sys.exit(f"{path}: differs from what make_vectors.py makes")
        print(f"{path.name}: {content.count(bytes([10])) - 1} vectors")


if __name__ == "__main__":
    main(sys.argv[1:])
