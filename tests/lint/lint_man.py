#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manual pages: mandoc finds no fault in them, each has the sections its readers look for, hashprof(1)
holds exactly the verbs and options of the program's --help, and man can show each."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
program = sys.argv[2]
REQUIRED = {"1": ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "OVERHEAD", "CAVEATS", "EXAMPLES", "SEE ALSO"],
            "5": ["NAME", "DESCRIPTION", "CAVEATS", "EXAMPLES", "SEE ALSO"],
            "7": ["NAME", "DESCRIPTION", "CAVEATS", "SEE ALSO"]}


def unescape(text):
    return text.replace("\\-", "-").replace("\\(hy", "-").replace("\\fB", "").replace("\\fR", "").replace("\\fI", "")


def help_of(*words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


def verbs_of_help():
    return re.findall(r"^  ([a-z]+) {2,}", help_of().split("Verbs:")[1], re.M)


def options_of_help(verb):
    return set(re.findall(r"^  (--[a-z-]+)", help_of(verb), re.M))


def options_of_page(page):
    """{option: set of verbs} from lines `.TP` / `.BR \\-\\-only ...` whose text ends in `Verbs: run, plan.`"""
    found = {}
    for part in page.split(".TP\n")[1:]:
        head, _, body = part.partition("\n")
        names = re.findall(r"--[a-z-]+", unescape(head))
        verbs = re.search(r"Verbs: ([a-z, \n]+)\.", body)
        if names and verbs:
            found[names[0]] = {word.strip() for word in verbs.group(1).replace("\n", " ").split(",")}
    return found


def main():
    faults = []
    pages = sorted((root / "man").glob("*.[1-9]"))
    for path in pages:
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(path)], capture_output=True, text=True, check=False)
        if lint.returncode != 0 or lint.stdout.strip():
            faults.append(f"{path.name}: {lint.stdout.strip() or lint.stderr.strip()}")
        shown = subprocess.run(["man", "-l", str(path)], capture_output=True, text=True, check=False,
                               env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
        if shown.returncode != 0 or len(shown.stdout) < 500:
            faults.append(f"{path.name}: man cannot show it: {shown.stderr.strip()}")
        sections = re.findall(r'^\.SH "?([^"\n]+)"?', path.read_text(), re.M)
        for section in REQUIRED[path.suffix[1:]]:
            if section not in sections:
                faults.append(f"{path.name}: no section {section}")
    page = (root / "man/hashprof.1").read_text()
    documented = options_of_page(page)
    verbs = verbs_of_help()
    if not verbs:
        faults.append("hashprof --help lists no verb")
    for verb in verbs:
        if not re.search(rf"^\.B {verb}$|^\.BI? ?{verb} |^\.BR? {verb} ", page, re.M):
            faults.append(f"hashprof.1: verb {verb} is not described")
        in_help = options_of_help(verb)
        in_page = {option for option, of in documented.items() if verb in of}
        for option in sorted(in_help - in_page):
            faults.append(f"hashprof.1: {option} of {verb} is not described (or lacks 'Verbs: ... {verb}')")
        for option in sorted(in_page - in_help):
            faults.append(f"hashprof.1: {option} of {verb} is described, but --help does not have it")
    for fault in faults:
        print(fault)
    print(f"{len(pages)} pages and {len(verbs)} verbs checked, {len(faults)} faults")
    return 1 if faults or not pages else 0


sys.exit(main())
