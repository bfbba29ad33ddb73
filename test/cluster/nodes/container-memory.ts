import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { KubernetesObject } from "../../support/repository/chart.ts";

/** Memory of a pod's container, in bytes, as its cgroup counts it. */
export interface ContainerMemory {
  /** The most that it has held at once, with the page cache. */
  readonly peak: number;
  /** Memory that it holds now without the page cache, which the kernel takes back before it kills. */
  readonly resident: number;
  readonly limit: number;
  /** Number of its processes that were killed for their memory. */
  readonly kills: number;
}

/** Reads that of a pod with one container. @throws Error if there is none */
export function containerMemory({ metadata, status }: KubernetesObject): ContainerMemory {
  const [container] = status.containerStatuses;
  const id = container.containerID.replace("containerd://", "");
  const pattern = `/sys/fs/cgroup/memory/${process.env["NODES_CGROUP"]}-*/kubepods/**/pod${metadata.uid}/${id}`;
  const [folder] = globSync(pattern);
  if (folder === undefined) throw new Error(`${metadata.name} has no cgroup`);
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const field = (file: string, name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(read(file))?.[1]);
  return {
    peak: Number(read("memory.max_usage_in_bytes")),
    resident: field("memory.stat", "total_rss"),
    limit: Number(read("memory.limit_in_bytes")),
    kills: field("memory.oom_control", "oom_kill"),
  };
}
