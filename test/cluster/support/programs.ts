import process from "node:process";

/** A program of test/cluster/servers. */
export type ClusterProgram = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kubectl";

/** The variable in which the part `cluster` passes a program's path. */
export function programVariable(name: ClusterProgram): string {
  return name.toUpperCase().replaceAll("-", "_");
}

/** Path of a program. @throws Error where it isn't given */
export function clusterProgram(name: ClusterProgram): string {
  const path = process.env[programVariable(name)];
  if (path === undefined) throw new Error(`${programVariable(name)} is not set: npm run test:cluster builds ${name}`);
  return path;
}
