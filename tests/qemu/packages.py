# SPDX-License-Identifier: MIT
"""The arm64 side of the emulated machine: kernel, busybox and a sysroot, from a private apt state.

The package sources are those of this system, and nothing of its own package state is touched. Each result is
made beside its place and renamed into it, so that a step that was killed is simply done again."""
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import time

ARCHITECTURE = "arm64"
TRIPLE = "aarch64-linux-gnu"
KERNEL = "linux-image-cloud-arm64"
BUSYBOX = "busybox-static"
SYSROOT = ["libc6-dev", "libstdc++-12-dev", "libbpf-dev", "libelf-dev", "libdw-dev", "libyaml-cpp-dev", "zlib1g-dev",
           "liblzma-dev", "libbz2-dev", "libboost1.74-dev", "libssl-dev", "libfmt-dev", "libcli11-dev",
           "nlohmann-json3-dev", "libseccomp-dev"]
HOST_PROGRAMS = {"qemu-system-aarch64": "qemu-system-arm", f"{TRIPLE}-gcc": f"g++-{TRIPLE}",
                 f"{TRIPLE}-g++": f"g++-{TRIPLE}", "cpio": "cpio", "dpkg-deb": "dpkg", "apt-get": "apt"}


# Descriptors of locks that are held. Children inherit them, so that what goes on after this process was killed keeps
# the next one waiting.
HELD = []


class Missing(Exception):
    """Something that this system has to bring; the text says what to do."""


def cache_folder(source):
    """Where packages and sysroot are kept: outlives a build folder, is never shared with apt's own."""
    if os.environ.get("HASHPROF_QEMU_CACHE"):
        return pathlib.Path(os.environ["HASHPROF_QEMU_CACHE"]).absolute()
    if os.environ.get("XDG_CACHE_HOME"):
        return pathlib.Path(os.environ["XDG_CACHE_HOME"]).absolute() / "hashprof" / "qemu"
    return pathlib.Path(source).absolute() / "build" / "qemu"


def check_host_programs():
    missing = sorted({package for program, package in HOST_PROGRAMS.items() if shutil.which(program) is None})
    if missing:
        raise Missing(f"packages are missing: {' '.join(missing)}\n"
                      f"  hint: as root: apt-get install --no-install-recommends {' '.join(missing)}")


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, check=False, pass_fds=HELD, **options)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit {result.returncode}\n"
                           f"{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


class Packages:
    """Kernel, busybox and sysroot below one folder. Use within `with`: one process at a time."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.archives = self.folder / "archives"
        self.sysroot = self.folder / "sysroot"
        self.kernel = self.folder / "kernel"
        self.busybox = self.folder / "busybox"

    def __enter__(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(self.folder / "lock", "w", encoding="ascii")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        HELD.append(self.lock.fileno())
        return self

    def __exit__(self, *ignored):
        HELD.remove(self.lock.fileno())
        self.lock.close()

    def provide(self):
        """Makes what is not there yet. A second call costs nothing."""
        stamp = self.folder / "complete"
        wanted = self._wanted()
        if stamp.exists() and stamp.read_text() == wanted:
            return
        stamp.unlink(missing_ok=True)
        self._write_apt_state()
        # An index of an earlier day may name packages that are gone from the server.
        index_age = time.time() - self._index().stat().st_mtime if self._index().exists() else float("inf")
        if index_age > 24 * 3600:
            self._apt("apt-get", "-q", "update")
            self._index().touch()
        debs = self._download()
        self._unpack("sysroot", debs["sysroot"], self.sysroot)
        self._unpack("kernel", debs["kernel"], self.kernel)
        self._unpack("busybox", debs["busybox"], self.busybox)
        stamp.write_text(wanted)

    def image(self):
        return next((self.kernel / "boot").glob("vmlinuz-*"))

    # --- private -----------------------------------------------------------------------------------

    @staticmethod
    def _wanted():
        return "\n".join([KERNEL, BUSYBOX, *SYSROOT]) + "\n"

    def _index(self):
        return self.folder / "apt" / "index-complete"

    def _write_apt_state(self):
        apt = self.folder / "apt"
        for name in ("state/lists/partial", "cache/archives/partial", "sources"):
            (apt / name).mkdir(parents=True, exist_ok=True)
        (apt / "status").touch()
        self.archives.mkdir(exist_ok=True)
        copied = [self._copy_source(file, apt / "sources") for file in host_source_files()]
        if not any(copied):
            raise Missing("no Debian package source is configured on this system\n"
                          "  hint: /etc/apt/sources.list or a file in /etc/apt/sources.list.d has to name one")
        (apt / "apt.conf").write_text(
            f'APT::Architecture "{ARCHITECTURE}";\nAPT::Architectures {{ "{ARCHITECTURE}"; }};\n'
            f'Dir::State "{apt}/state";\nDir::State::status "{apt}/status";\nDir::Cache "{apt}/cache";\n'
            f'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "{apt}/sources";\n'
            'Acquire::Languages "none";\nAcquire::Retries "3";\nAPT::Install-Recommends "false";\n'
            # The download user of apt need not be able to enter a build folder.
            'APT::Sandbox::User "root";\n')

    @staticmethod
    def _copy_source(file, folder):
        text = file.read_text()
        if not re.search(r"^\s*(deb|URIs:)\s.*debian", text, re.MULTILINE):
            return False
        # A source that is bound to this system's own architecture would hide the other one.
        text = re.sub(r"^Architectures:.*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"\barch=[a-z0-9,]+", f"arch={ARCHITECTURE}", text)
        (folder / file.name).write_text(text)
        return True

    def _apt(self, *words, cwd=None):
        environment = {**os.environ, "APT_CONFIG": str(self.folder / "apt" / "apt.conf"), "LC_ALL": "C",
                       "DEBIAN_FRONTEND": "noninteractive"}
        return run(*words, env=environment, cwd=cwd)

    def _kernel_package(self):
        depends = self._apt("apt-cache", "depends", KERNEL)
        found = re.search(r"Depends: (linux-image-\S+)", depends)
        if not found:
            raise RuntimeError(f"{KERNEL} names no kernel image:\n{depends}")
        return found[1]

    def _closure(self, packages):
        """Names of packages and all that they need, as apt would install them on an empty system."""
        plan = self._apt("apt-get", "-s", "-q", "install", *packages)
        return sorted(set(re.findall(r"^Inst (\S+) ", plan, re.MULTILINE)))

    def _download(self):
        """apt-get download verifies and skips what is complete already."""
        groups = {"sysroot": self._closure(SYSROOT), "kernel": [self._kernel_package()], "busybox": [BUSYBOX]}
        names = sorted({name for group in groups.values() for name in group})
        self._apt("apt-get", "-q", "download", *names, cwd=self.archives)
        files = {}
        for group, packages in groups.items():
            files[group] = [self._archive(name) for name in packages]
        return files

    def _archive(self, name):
        found = sorted(self.archives.glob(f"{name}_*.deb"), key=lambda file: file.stat().st_mtime)
        if not found:
            raise RuntimeError(f"apt-get download left no archive of {name}")
        return found[-1]

    @staticmethod
    def _unpack(name, debs, folder):
        digest = hashlib.sha256("\n".join(sorted(deb.name for deb in debs)).encode()).hexdigest()
        mark = folder / ".made-from"
        if mark.exists() and mark.read_text() == digest:
            return
        fresh = folder.with_name(f"{name}.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        for deb in debs:
            run("dpkg-deb", "-x", deb, fresh)
        make_links_relative(fresh)
        (fresh / ".made-from").write_text(digest)
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)


def make_links_relative(root):
    """Links of packages may name absolute places, which would lead out of the sysroot."""
    for place, folders, files in os.walk(root):
        for name in folders + files:
            link = pathlib.Path(place) / name
            if link.is_symlink() and os.readlink(link).startswith("/"):
                target = root / os.readlink(link).lstrip("/")
                link.unlink()
                link.symlink_to(os.path.relpath(target, place))


def host_source_files():
    parts = pathlib.Path("/etc/apt/sources.list.d")
    files = [pathlib.Path("/etc/apt/sources.list")]
    if parts.is_dir():
        files += sorted(file for file in parts.iterdir() if file.suffix in (".list", ".sources"))
    return [file for file in files if file.is_file()]
