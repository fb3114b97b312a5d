# SPDX-License-Identifier: MIT
"""Submissions as evaluators get them, made in a folder of the test: names that git would not carry well, drivers,
sources inside sources. The hash in all of them is one toy; nothing here is anybody's code."""
import os
import shutil
import subprocess

PRIME = 0x100000001B3
MASK = (1 << 64) - 1

BODY = r"""
static unsigned long long toy_mix(unsigned long long h, unsigned long long x) { return (h ^ x) * 0x100000001B3ULL; }

static int toy_hash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest)
{
    unsigned long long h = 0xCBF29CE484222325ULL, i;
    int j, k;
    if (bits != 256) return -1;
    for (i = 0; i < len / 8; ++i) h = toy_mix(h, msg[i]);
    if (len % 8) h = toy_mix(h, msg[i] & (0xFF00 >> (len % 8)) & 0xFF);
    h = toy_mix(h, len);
    for (j = 0; j < 4; ++j) {
        h = toy_mix(h, 17 + j);
        for (k = 0; k < 8; ++k) digest[8 * j + k] = (unsigned char)(h >> (56 - 8 * k));
    }
    return 0;
}
"""
ENTRY = ("int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest)\n"
         "{ return toy_hash(bits, msg, len, digest); }\n")
DRIVER = '#include <stdio.h>\nint main(void) { puts("driver"); return 0; }\n'


def toy(message, bits):
    """The digest, computed by other means than the C above."""
    h = 0xCBF29CE484222325
    data = list(message[:(bits + 7) // 8])
    if bits % 8:
        data[-1] &= 0xFF00 >> (bits % 8) & 0xFF
    for x in [*data, bits, 17]:
        h = ((h ^ x) * PRIME) & MASK
    out = h.to_bytes(8, "big")
    for x in (18, 19, 20):
        h = ((h ^ x) * PRIME) & MASK
        out += h.to_bytes(8, "big")
    return out


def header(name="Toy-256"):
    return ("#ifndef CRYPTHASH_H\n#define CRYPTHASH_H\n"
            "#define TOY_BYTES 32\n"
            f'#define ALGORITHM_INSTANCE "{name}" /* at most 64 */\n'
            "#define DIGEST_BIT_LENGTH (8 * TOY_BYTES)\n"
            "#define OUTPUT_BLANK_TEST_VECTORS 0\n"
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
            "int CryptHash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest);\n"
            "#ifdef __cplusplus\n}\n#endif\n#endif\n")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def plain(folder, name="Toy-256"):
    """As the package of the contest has it."""
    write(folder / "CryptHash_AlgorithmInstance.h", header(name))
    write(folder / "CryptHash_AlgorithmInstance.c", '#include "CryptHash_AlgorithmInstance.h"\n' + BODY + ENTRY)
    write(folder / "KAT_CryptHash.c", DRIVER)


def answers(program, folder):
    """The texts of KAT_2_12 and KAT_2_23 of the toy, by the program itself; every digest of the former, and two of the
    latter, are checked by toy()."""
    plain(folder / "toy")
    write(folder / "toy/hash.yaml", "hashprof: 1\nid: toy\nbuild: {sources: [CryptHash_AlgorithmInstance.c]}\n"
                                    "instances: {Toy-256: {digest_bits: 256}}\n")
    subprocess.run([program, "kat", "toy", "--kinds", "2_12,2_23", "--write-kat", "texts"], cwd=folder, check=False,
                   capture_output=True)
    texts = {kind: next((folder / "texts").rglob(f"KAT_{kind}_*.txt")).read_bytes() for kind in ("2_12", "2_23")}
    shutil.rmtree(folder)
    records = {kind: [dict(line.split(" =", 1) for line in record.split("\n"))
                      for record in text.decode().strip().split("\n\n")] for kind, text in texts.items()}
    assert len(records["2_12"]) == 4097 and len(records["2_23"]) == 3
    messages = [bytes.fromhex(values["Msg"]) for values in records["2_12"]] + [bytes(1 << 20), b"\xff" * (1 << 20)]
    for message, values in zip(messages, records["2_12"] + records["2_23"][:2]):
        assert toy(message, int(values["Msg_Len"])).hex().upper() == values["Dst"].strip(), values
    return texts


def included_source(folder):
    """(a) A wrapper that includes a .c, which alone is an error."""
    place = folder / "Reference_Implementation" / "Toy-256"
    write(place / "CryptHash_AlgorithmInstance.h", header())
    write(place / "CryptHash_AlgorithmInstance.c",
          '#include "CryptHash_AlgorithmInstance.h"\n#define TOY_WIDTH 256\n# include "toy_core.c"\n')
    write(place / "toy_core.c", "#ifndef TOY_WIDTH\n#error include this file\n#endif\n" + BODY + ENTRY)
    write(place / "KAT_CryptHash.c", DRIVER)
    return folder, "Output/KAT_2_12_Toy-256.txt"


def sources_above(folder):
    """(b) Sources three levels up, found by -I only."""
    place = folder / "Reference_Implementation" / "Toy" / "Toy-256"
    write(place / "CryptHash_AlgorithmInstance.h", header())
    write(place / "CryptHash_AlgorithmInstance.c",
          '#include "CryptHash_AlgorithmInstance.h"\n#include "toy_low.h"\n' + ENTRY.replace("toy_hash", "toy_low"))
    low = folder / "lib" / "low"
    write(low / "toy_low.h", '#include "toy_common.h"\n'
          "int toy_low(int, const unsigned char *, toy_length, unsigned char *);\n")
    write(low / "toy_low.c", '#include "toy_low.h"\n' + BODY +
          ENTRY.replace("CryptHash", "toy_low"))
    write(folder / "lib" / "common" / "toy_common.h", "typedef unsigned long long toy_length;\n")
    return folder, "Output/KAT_2_12_Toy-256.txt"


def cxx_behind_c(folder):
    """(c) A C wrapper that only C++ can compile, two .cpp, OpenSSL, and two programs."""
    write(folder / "CryptHash_AlgorithmInstance.h", header())
    write(folder / "CryptHash_AlgorithmInstance.c",
          '#include "CryptHash_AlgorithmInstance.h"\n#include "toy.hpp"\n'
          + ENTRY.replace("toy_hash(", "toy::hash("))
    write(folder / "toy.hpp", "#pragma once\n#include <cstdint>\n"
          "namespace toy { int hash(int, const unsigned char *, unsigned long long, unsigned char *);\n"
          "std::uint64_t salt(); }\n")
    write(folder / "toy.cpp", '#include "toy.hpp"\n' + BODY +
          "namespace toy { int hash(int bits, const unsigned char *msg, unsigned long long len, unsigned char *digest)\n"
          "{ return salt() == 0 ? toy_hash(bits, msg, len, digest) : -1; } }\n")
    write(folder / "salt.cpp", '#include "toy.hpp"\n#include <openssl/sha.h>\n'
          "namespace toy { std::uint64_t salt() { unsigned char out[32];\n"
          "return SHA256(reinterpret_cast<const unsigned char *>(\"\"), 0, out) == out ? 0 : 1; } }\n")
    write(folder / "main.cpp", "int main() { return 0; }\n")
    write(folder / "throughput.cpp", "int measure() { return 1; }\nint measure();\n")
    return folder, "KAT_2_12_Toy-256.txt"


def other_names(folder):
    """(d) Another header name, and an instance whose known answers differ in case."""
    write(folder / "Toy-256" / "CryptHash_Toy-256.h", header("Toy-256"))
    write(folder / "Toy-256" / "toy.c", '#include "CryptHash_Toy-256.h"\n' + BODY + ENTRY)
    return folder, "Toy-256/Output/KAT_2_12_toy_256.txt"


def odd_bytes(folder):
    """(e) Comments in GBK, CRLF, a byte order mark, and folders with blanks, quotes and Chinese."""
    place = folder / "Implementations and Test_Vectors" / "it's \"the\" 实现"
    comment = "/* 哈希算法 main() */\n// \" 单引号 '\n".encode("gbk")
    text = b"\xef\xbb\xbf" + comment + b'#include "CryptHash_AlgorithmInstance.h"\n' + comment + (BODY + ENTRY).encode()
    write(place / "CryptHash_AlgorithmInstance.c", text.replace(b"\n", b"\r\n"))
    write(place / "CryptHash_AlgorithmInstance.h", (comment + header().encode()).replace(b"\n", b"\r\n"))
    write(place / "KAT_CryptHash.c", DRIVER)
    return folder, "Implementations and Test_Vectors/输出/KAT_2_12_Toy-256.txt"


def own_types(folder):
    """(f) Types of its own that clash with <stdint.h> unless its header comes first."""
    write(folder / "CryptHash_AlgorithmInstance.h", header())
    write(folder / "toy_types.h", "#ifndef TOY_TYPES_H\n#define TOY_TYPES_H\n#define _STDINT_H 1\n"
          "typedef unsigned char uint8_t;\ntypedef unsigned long long uint64_t;\n#endif\n")
    write(folder / "CryptHash_AlgorithmInstance.c",
          '#include <stdint.h>\n#include "CryptHash_AlgorithmInstance.h"\n#include "toy_types.h"\n' + BODY + ENTRY)
    return folder, "KAT_2_12_Toy-256.txt"


def supercop(folder):
    """(g) The layout of SUPERCOP, with two implementations."""
    entry = ('#include "crypto_hash.h"\n' + BODY +
             "int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)\n"
             "{ return toy_hash(256, in, 8 * inlen, out); }\n")
    for name in ("ref", "unrolled"):
        write(folder / "crypto_hash" / "toy256" / name / "api.h", "#define CRYPTO_BYTES 32\n")
        write(folder / "crypto_hash" / "toy256" / name / "hash.c", entry)
    return folder, "KAT_2_23_toy256.txt"


def prebuilt(folder):
    """(h) Things beside the sources that nobody may run or link: each would be seen."""
    plain(folder)
    write(folder / "Makefile", "$(shell touch poisoned)\nall:\n\ttouch poisoned\n")
    write(folder / "build.sh", "#!/bin/sh\ntouch poisoned\n")
    write(folder / "kat", "#!/bin/sh\ntouch poisoned\n")
    write(folder / "nohup.out", "ignoring input\n")
    for name in ("build.sh", "kat"):
        os.chmod(folder / name, 0o755)
    wrong = "int CryptHash(int b, const unsigned char *m, unsigned long long l, unsigned char *d)\n" \
            "{ (void)m; (void)l; for (int i = 0; i < b / 8; ++i) d[i] = 0; return 0; }\n"
    source = folder.parent / "wrong.c"
    write(source, wrong)
    subprocess.run(["gcc", "-c", "-fPIC", source, "-o", folder / "toy.o"], check=True)
    subprocess.run(["gcc", "-shared", folder / "toy.o", "-o", folder / "libtoy.so"], check=True)
    source.unlink()
    return folder, "KAT_2_12_Toy-256.txt"
