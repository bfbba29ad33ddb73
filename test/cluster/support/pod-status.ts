import type { KubernetesObject } from "../../support/repository/chart.ts";

/** Status of a pod whose containers run. */
export function runningStatus({ spec }: KubernetesObject, ready: boolean): KubernetesObject {
  return {
    phase: "Running",
    conditions: conditions({ PodScheduled: true, Initialized: true, ContainersReady: ready, Ready: ready }),
    containerStatuses: containerStatuses(spec, { ready, started: true, state: { running: {} } }),
  };
}

/** Status of a pod whose containers have ended, the last of them with this exit code. */
export function endedStatus({ spec }: KubernetesObject, exitCode: number): KubernetesObject {
  const reason = exitCode === 0 ? "Completed" : "Error";
  return {
    phase: exitCode === 0 ? "Succeeded" : "Failed",
    conditions: conditions({ PodScheduled: true, Initialized: true, ContainersReady: false, Ready: false }),
    containerStatuses: containerStatuses(spec, { ready: false, state: { terminated: { exitCode, reason } } }),
  };
}

/** Whether a pod ends by itself, as one of a Job does. */
export function endsByItself({ spec }: KubernetesObject): boolean {
  return spec.restartPolicy === "Never";
}

function conditions(values: Readonly<Record<string, boolean>>): KubernetesObject[] {
  // Without this time, a pod that was ready for `minReadySeconds` never counts as available.
  const lastTransitionTime = new Date().toISOString();
  return Object.entries(values).map(([type, value]) => ({
    type,
    status: value ? "True" : "False",
    lastTransitionTime,
  }));
}

function containerStatuses(spec: KubernetesObject, of: KubernetesObject): KubernetesObject[] {
  return spec["containers"].map(({ name, image }: KubernetesObject) => ({
    name,
    image,
    imageID: "",
    restartCount: 0,
    ...of,
  }));
}
