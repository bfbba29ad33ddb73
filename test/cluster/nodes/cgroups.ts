import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const HIERARCHIES = "/sys/fs/cgroup";
/** Hierarchy of version 2, in which no controller is. */
const UNIFIED = "unified";

/** Path of a node's cgroup in each hierarchy. */
export function cgroupOf(node: string): string {
  return `/${process.env["NODES_CGROUP"]}-${node}`;
}

/** Makes a cgroup in each hierarchy of version 1, with all CPUs and memory nodes, and returns its path below them. */
export function createCgroup(node: string): string {
  const path = cgroupOf(node);
  for (const hierarchy of readdirSync(HIERARCHIES).filter((name) => name !== UNIFIED)) {
    const folder = join(HIERARCHIES, hierarchy, path);
    mkdirSync(folder, { recursive: true });
    if (hierarchy === "cpuset") for (const file of ["cpuset.cpus", "cpuset.mems"]) copySetting(hierarchy, folder, file);
  }
  return path;
}

function copySetting(hierarchy: string, folder: string, file: string): void {
  writeFileSync(join(folder, file), readFileSync(join(HIERARCHIES, hierarchy, file)));
}

/** IDs of all processes in a cgroup and below it. */
export function processesIn(cgroup: string): readonly number[] {
  const files = globSync(`${HIERARCHIES}/pids${cgroup}/**/cgroup.procs`);
  return files.flatMap((file) => readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number));
}
