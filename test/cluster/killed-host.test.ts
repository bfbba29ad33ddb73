import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { SOON } from "../support/repository/polling.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";

const HOST_SCRIPT = join(REPOSITORY_ROOT, "test/cluster/nodes/host.sh");
const MEMORY = "/sys/fs/cgroup/memory";
const canMakeHosts = process.getuid?.() === 0 && existsSync(join(MEMORY, "cgroup.procs"));

/** Makes what nodes make: an interface, a cgroup with a process in it, a mount; tells where, and goes on until it is killed. */
const COMMAND = `
  ip link add node-0-br type bridge
  cgroup=${MEMORY}/$NODES_CGROUP-node-0/pod
  mkdir --parents "$cgroup"
  sleep 1000 &
  echo $! >"$cgroup/cgroup.procs"
  mount -t tmpfs tidemark-killed-host /mnt
  echo "$cgroup"
  wait`;

describe.skipIf(!canMakeHosts)("a host of nodes that is killed", () => {
  it("leaves no process, interface or mount behind, and its cgroups until the next", async () => {
    const host = spawn(HOST_SCRIPT, ["bash", "-c", COMMAND], { stdio: ["ignore", "pipe", "inherit"] });
    const [cgroup] = await once(createInterface({ input: host.stdout }), "line");
    const processes = () => (existsSync(cgroup) ? readFileSync(join(cgroup, "cgroup.procs"), "utf8") : "");
    expect(processes()).toMatch(/^\d+\n$/);
    host.kill("SIGKILL");
    await once(host, "exit");
    await expect.poll(processes, SOON).toBe("");
    expect(readFileSync("/proc/mounts", "utf8")).not.toContain("tidemark-killed-host");
    expect(existsSync("/sys/class/net/node-0-br")).toBe(false);
    const [code] = await once(spawn(HOST_SCRIPT, ["true"], { stdio: "inherit" }), "exit");
    expect(code).toBe(0);
    expect(globSync(`${MEMORY}/tidemark-nodes-${host.pid}-*`)).toEqual([]);
  });
});
