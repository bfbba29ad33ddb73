import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubernetesObject } from "../../support/repository/chart.ts";
import type { KubeApi } from "./api.ts";

/**
 * Makes folders of a pod's volumes, by the volumes' names, with what they project: Secrets, ConfigMaps, and tokens of the pod's
 * service account.
 *
 * @throws ApiError where one of these isn't there
 */
export async function makeVolumes(api: KubeApi, pod: KubernetesObject, folder: string): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const { name, projected, emptyDir } of pod["spec"].volumes) {
    if (projected === undefined && emptyDir === undefined) throw new Error(`volume ${name}: unknown source`);
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    for (const source of projected?.sources ?? []) {
      for (const [file, content] of await filesOf(api, pod, source)) await writeFile(join(path, file), content);
    }
    made.set(name, path);
  }
  return made;
}

type File = readonly [name: string, content: string | Buffer];

async function filesOf(api: KubeApi, pod: KubernetesObject, source: KubernetesObject): Promise<readonly File[]> {
  const namespace = `/api/v1/namespaces/${pod["metadata"].namespace}`;
  if (source["secret"]) {
    const { data = {} } = await api.get(`${namespace}/secrets/${source["secret"].name}`);
    return chosen(source["secret"].items, data, (value) => Buffer.from(value, "base64"));
  }
  if (source["configMap"]) {
    const { data = {} } = await api.get(`${namespace}/configmaps/${source["configMap"].name}`);
    return chosen(source["configMap"].items, data, (value) => value);
  }
  const { audience, expirationSeconds, path } = source["serviceAccountToken"];
  return [[path, await requestToken(api, pod, { audience, expirationSeconds })]];
}

function chosen(
  items: readonly { readonly key: string; readonly path: string }[],
  data: Readonly<Record<string, string>>,
  decode: (value: string) => string | Buffer,
): readonly File[] {
  return items.map(({ key, path }) => {
    const value = data[key];
    if (value === undefined) throw new Error(`there is no key ${key}`);
    return [path, decode(value)];
  });
}

/** A token bound to the pod, as the kubelet asks for it. Without an audience it is for the API server itself. */
async function requestToken(
  api: KubeApi,
  { metadata, spec }: KubernetesObject,
  { audience, expirationSeconds }: { readonly audience?: string; readonly expirationSeconds: number },
): Promise<string> {
  const { status } = await api.create(
    `/api/v1/namespaces/${metadata.namespace}/serviceaccounts/${spec.serviceAccountName}/token`,
    {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {
        ...(audience !== undefined && { audiences: [audience] }),
        expirationSeconds,
        boundObjectRef: { kind: "Pod", apiVersion: "v1", name: metadata.name, uid: metadata.uid },
      },
    },
  );
  return status.token;
}
