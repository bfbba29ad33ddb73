import process from "node:process";

/** Programs of test/cluster/servers without which there is no cluster. */
export const CONTROL_PROGRAMS = ["kube-apiserver", "kube-controller-manager", "kubectl"] as const;
/** Programs that nodes need besides. */
export const NODE_PROGRAMS = ["kubelet", "kube-scheduler", "kube-proxy"] as const;

/** A program that a cluster consists of. */
export type ClusterProgram =
  | "etcd"
  | (typeof CONTROL_PROGRAMS)[number]
  | (typeof NODE_PROGRAMS)[number]
  | "coredns"
  | "kube-router"
  | "pause"
  | "traefik";

/** The variable in which the part `cluster` passes a program's path. */
export function programVariable(name: ClusterProgram): string {
  return name.toUpperCase().replaceAll("-", "_");
}

/** Path of a program without which there is a cluster, too; undefined where it isn't given. */
export function givenProgram(name: ClusterProgram): string | undefined {
  return process.env[programVariable(name)];
}

/** Path of a program. @throws Error where it isn't given */
export function clusterProgram(name: ClusterProgram): string {
  const path = givenProgram(name);
  if (path === undefined) throw new Error(`${programVariable(name)} is not set: npm run test:cluster builds ${name}`);
  return path;
}
