# SPDX-License-Identifier: MIT
"""The emulated machine: cross build of hashprof for it, its initial file system, one boot with one job."""
import gzip
import os
import pathlib
import shutil
import subprocess
import tarfile
import time

from packages import TRIPLE, run

HERE = pathlib.Path(__file__).resolve().parent
LOADER = "lib/ld-linux-aarch64.so.1"
LIBRARIES = [LOADER, f"lib/{TRIPLE}/libc.so.6"]
DISK_BYTES = 64 << 20


class Boot:
    """How a machine is started. `-icount shift=0` makes one virtual nanosecond, and one cycle, an instruction.
    `limit` is in seconds."""

    def __init__(self, cpu="neoverse-n1", icount="shift=0,sleep=off", limit=240):
        self.cpu = cpu
        self.icount = icount
        self.limit = limit

    def command(self, kernel, initrd, disk, console):
        words = ["qemu-system-aarch64", "-machine", "virt,dtb-randomness=off", "-cpu", self.cpu, "-smp", "1",
                 "-m", "512", "-rtc", "base=2026-01-01,clock=vm", "-nodefaults", "-no-reboot", "-display", "none",
                 "-serial", f"file:{console}", "-kernel", str(kernel), "-initrd", str(initrd),
                 "-append", "console=ttyAMA0 quiet panic=-1 nokaslr",
                 "-drive", f"file={disk},if=none,id=out,format=raw", "-device", "nvme,drive=out,serial=out"]
        return words + (["-icount", self.icount] if self.icount else [])


def cross_build(source, folder, sysroot):
    """hashprof (static) and its workers (for the guest's libc) in `folder`/bin."""
    folder.mkdir(parents=True, exist_ok=True)
    toolchain = folder / "toolchain.cmake"
    text = (HERE / "toolchain.cmake.in").read_text().replace("@SYSROOT@", str(sysroot))
    if not toolchain.exists() or toolchain.read_text() != text:
        toolchain.write_text(text)
    nice = ["nice", "-n", "10"]
    run(*nice, "cmake", "-G", "Ninja", "-S", source, "-B", folder, f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
        "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DHASHPROF_STATIC=ON",
        # Warnings are the native build's affair; the worker has its own -O2, hashprof needs no more than -O1.
        "-DHASHPROF_WARNINGS_AS_ERRORS=OFF", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG")
    run(*nice, "cmake", "--build", folder, "--target", "hashprof", "hashprof_worker", "hashprof_worker_heap")
    return folder / "bin"


def add_file(root, file, place):
    """Copies to the absolute path `place` of the guest."""
    target = root / str(place).lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(file, target)
    return target


def base_image(packages, programs, folder):
    """The part of the initial file system that all boots share, as a compressed cpio archive."""
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    add_file(root, next(packages.busybox.glob("**/bin/busybox")), "/bin/busybox")
    for library in LIBRARIES:
        add_file(root, (packages.sysroot / library).resolve(), library)
    for program in ("hashprof", "hashprof-worker", "hashprof-worker-heap"):
        add_file(root, programs / program, f"/bin/{program}")
    add_file(root, HERE / "guest_init.sh", "/init").chmod(0o755)
    # What facts about this system are read from.
    (root / "etc").mkdir()
    (root / "etc" / "os-release").write_text('PRETTY_NAME="tests/qemu, Debian kernel and libraries"\n')
    return write_cpio(root, folder / "base.cpio.gz")


def write_cpio(root, archive):
    """A cpio archive of all below `root`; several, one behind another, make one file system."""
    names = [b"."] + sorted(os.fsencode(file.relative_to(root)) for file in root.rglob("*"))
    packed = subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0", "--null"], cwd=root, check=True,
                            input=b"\0".join(names) + b"\0", stdout=subprocess.PIPE).stdout
    with open(archive, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", compresslevel=1, mtime=0) as stream:
        stream.write(packed)
    return archive


class Result:
    """What a boot left: the job's exit status, its output, and the folder with all of /out."""

    def __init__(self, folder, seconds):
        self.folder = folder
        self.seconds = seconds
        self.status = int((folder / "status").read_text())
        self.stdout = (folder / "stdout").read_text()
        self.stderr = (folder / "stderr").read_text()


def boot(packages, base, job, folder, how, extra_root=None):
    """Boots, runs the shell script `job`, brings /out back to `folder`/out."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    root = folder / "root"
    if extra_root:
        shutil.copytree(extra_root, root, symlinks=True)
    root.mkdir(exist_ok=True)
    (root / "job").write_text(job)
    initrd = folder / "initrd"
    with open(initrd, "wb") as file:
        file.write(base.read_bytes())
        file.write(write_cpio(root, folder / "extra.cpio.gz").read_bytes())
    disk, console = folder / "disk.img", folder / "console.txt"
    with open(disk, "wb") as file:
        file.truncate(DISK_BYTES)
    start = time.monotonic()
    try:
        ended = subprocess.run(how.command(packages.image(), initrd, disk, console), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                               timeout=how.limit)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"the guest did not end within {how.limit} s; its console:\n"
                           f"{console_text(console)}") from None
    seconds = time.monotonic() - start
    out = folder / "out"
    try:
        with tarfile.open(disk, "r:") as archive:
            archive.extractall(out)
        return Result(out, seconds)
    except (tarfile.TarError, OSError, ValueError) as fault:
        raise RuntimeError(f"the guest left no result ({fault}); qemu ended with {ended.returncode}: {ended.stdout}\n"
                           f"its console:\n{console_text(console)}") from fault
    finally:
        for file in (initrd, disk, folder / "extra.cpio.gz"):
            file.unlink(missing_ok=True)
        shutil.rmtree(root, ignore_errors=True)


def console_text(console):
    return console.read_text(errors="replace")[-4000:] if console.exists() else "(none)"
