import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterAccess } from "./api.ts";

/** An access whose commands are for one namespace; its file lies in the folder. */
export async function accessIn(access: ClusterAccess, namespace: string, folder: string): Promise<ClusterAccess> {
  const configuration = JSON.parse(await readFile(access.kubeconfig, "utf8"));
  configuration.contexts[0].context.namespace = namespace;
  const kubeconfig = join(folder, `${namespace}.kubeconfig`);
  await writeFile(kubeconfig, JSON.stringify(configuration));
  return { ...access, kubeconfig };
}
