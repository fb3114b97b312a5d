#!/bin/busybox sh
# SPDX-License-Identifier: MIT
# shellcheck shell=dash
# First process of the emulated machine: runs /job, writes what it left to the disk, powers off.
/bin/busybox mkdir -p /proc /sys /dev /tmp /out
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs devtmpfs /dev
export PATH=/bin HOME=/
/bin/busybox chmod 0755 /out
/bin/busybox chmod 1777 /tmp
/bin/busybox sh /job >/out/stdout 2>/out/stderr </dev/null
echo $? >/out/status
# Waits for the disk, which the kernel looks for beside everything else.
while [ ! -b /dev/nvme0n1 ] && [ "${tries:=0}" -lt 50 ]; do
  tries=$((tries + 1))
  /bin/busybox sleep 0.2
done
/bin/busybox tar -c -f /dev/nvme0n1 -C /out . 2>/dev/console
/bin/busybox sync
/bin/busybox poweroff -f
