#!/usr/bin/env bash
# Makes a host of its own, with a network, mounts and processes that nothing else sees, and runs a command on it:
#
#   test/cluster/nodes/host.sh COMMAND [ARGUMENT…]
#
# All of it ends with the command, or when this script and what it started are killed. Only cgroups outlive that: the next run
# removes them.
set -euo pipefail

# 10.77.0.1 is the address of the host, of its nodes, and of what pods reach outside of the cluster.
prepare() {
  ip link set lo up
  ip address add 10.77.0.1/32 dev lo
  # Without a route, no connection to a Service's address begins.
  ip route add 10.96.0.0/16 dev lo
  sysctl --quiet --write net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1
  # In memory: images are unpacked on each node, and nothing has to be removed.
  mount -t tmpfs -o mode=0711 tmpfs "$TMPDIR"
  # containerd keeps the pods' network namespaces below it; a bind mount made later would hold them.
  mount -t tmpfs tmpfs /run
  mkdir /run/netns
  mount --bind /run/netns /run/netns
  mount --make-shared /run/netns
}

remove_cgroups() {
  local folder
  for folder in /sys/fs/cgroup/*/tidemark-nodes-"$1"-*; do
    if [[ -d $folder ]]; then find "$folder" -depth -type d -exec rmdir {} +; fi
  done
}

# Those of hosts that were killed. The name contains the ID of the process that made the host. What is still ending is left to the next run.
remove_earlier_cgroups() {
  local pid
  for pid in $(compgen -G '/sys/fs/cgroup/memory/tidemark-nodes-*' | sed 's/.*tidemark-nodes-//; s/-.*//' | sort --unique); do
    if [[ ! -d /proc/$pid ]]; then remove_cgroups "$pid" || true; fi
  done
}

if [[ ${1:-} == --inside ]]; then
  shift
  export PATH="$PATH:/usr/sbin:/sbin"
  prepare
  # Not exec: process 1 has to wait for the processes that containers leave to it.
  "$@"
  exit "$?"
fi
remove_earlier_cgroups
TMPDIR=$(mktemp --directory)
export TMPDIR NODES_CGROUP=tidemark-nodes-$$
trap 'rmdir "$TMPDIR"; remove_cgroups $$' EXIT
# A script that is killed alone takes unshare with it, and unshare all the rest.
setpriv --pdeathsig KILL unshare --mount --net --pid --fork --mount-proc --kill-child -- "$0" --inside "$@"
