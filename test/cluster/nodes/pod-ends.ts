import type { KubernetesObject } from "../../support/repository/chart.ts";
import type { DistributedRelease } from "./distributed-release.ts";

/** The end of a pod's only container, as the kubelet reports it. */
export interface PodEnd {
  readonly exitCode: number | undefined;
  /** `Completed`, `Error` or `OOMKilled`. */
  readonly reason: string | undefined;
  /** Seconds from its end to the moment at which it would have been killed; negative if it was. */
  readonly secondsLeft: number;
}

/** Deletes pods, with their own grace. @returns the end of each by its name */
export async function deletePods(
  { namespace: { api, name } }: DistributedRelease,
  pods: readonly string[],
): Promise<ReadonlyMap<string, PodEnd>> {
  const path = `/api/v1/namespaces/${name}/pods`;
  const watching = new AbortController();
  const deadlines = new Map<string, number>();
  const ends = new Map<string, PodEnd>();
  try {
    const undeleted = new Set(pods);
    for await (const { type, object } of api.changes(path, watching.signal)) {
      const { name: pod, deletionTimestamp } = object["metadata"];
      // Each pod that is there comes first, so none is deleted before the watch knows it.
      if (undeleted.delete(pod)) await api.delete(`${path}/${pod}`);
      // The API adds the grace to the time of the deletion, and takes what is left away once the pod has ended.
      if (deletionTimestamp !== undefined && !deadlines.has(pod)) deadlines.set(pod, Date.parse(deletionTimestamp));
      if (type === "DELETED" && pods.includes(pod)) ends.set(pod, endOf(object, deadlines.get(pod)));
      // Not `break`, after which nobody would hear of the watch's end.
      if (ends.size === pods.length) watching.abort();
    }
  } finally {
    watching.abort();
  }
  return ends;
}

function endOf({ status }: KubernetesObject, deadline = Number.NaN): PodEnd {
  const [container] = status.containerStatuses ?? [];
  const ended = container?.state.terminated;
  return {
    exitCode: ended?.exitCode,
    reason: ended?.reason,
    secondsLeft: (deadline - Date.parse(ended?.finishedAt)) / 1_000,
  };
}
