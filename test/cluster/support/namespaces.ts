import type { KubernetesObject } from "../../support/repository/chart.ts";
import type { KubeApi } from "./api.ts";

/** Objects that the cluster itself keeps in each namespace. */
const OWN = ["ServiceAccount default", "ConfigMap kube-root-ca.crt"];
/** They outlive what they are about. */
const IGNORED = new Set(["Event"]);

/** Creates a namespace in which Pod Security enforces the profile "restricted". */
export async function createRestrictedNamespace(api: KubeApi, name: string): Promise<void> {
  const labels = {
    "pod-security.kubernetes.io/enforce": "restricted",
    "pod-security.kubernetes.io/enforce-version": "latest",
  };
  await api.create("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
}

/** Kind and name of every object in a namespace but those that the cluster itself keeps there. */
export async function objectsIn(api: KubeApi, namespace: string): Promise<readonly string[]> {
  const collections = await namespacedCollections(api);
  const found = await Promise.all(
    collections.map(async ({ path, kind }) => {
      const { items } = await api.get(`${path.replace("{namespace}", namespace)}`);
      return items.map(({ metadata }: KubernetesObject) => `${kind} ${metadata.name}`);
    }),
  );
  return [...new Set(found.flat())].filter((name) => !OWN.includes(name)).toSorted();
}

interface Collection {
  readonly kind: string;
  readonly path: string;
}

/** Every kind of object that lies in namespaces and can be listed, whoever has defined it. */
async function namespacedCollections(api: KubeApi): Promise<readonly Collection[]> {
  const { groups } = await api.get("/apis");
  const versions: string[] = groups.map(
    ({ preferredVersion }: KubernetesObject) => `/apis/${preferredVersion.groupVersion}`,
  );
  const lists = await Promise.all(
    ["/api/v1", ...versions].map(async (base) => {
      const { resources } = await api.get(base);
      return resources
        .filter(
          ({ namespaced, verbs, kind }: KubernetesObject) => namespaced && verbs.includes("list") && !IGNORED.has(kind),
        )
        .map(({ name, kind }: KubernetesObject) => ({ kind, path: `${base}/namespaces/{namespace}/${name}` }));
    }),
  );
  return lists.flat();
}
