import { randomInt } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import type { KubernetesObject } from "../../support/repository/chart.ts";
import { imageEnv } from "../../support/repository/image-description.ts";
import { isNotFound, type KubeApi } from "./api.ts";
import { endedStatus, endsByItself, runningStatus } from "./pod-status.ts";
import { makeVolumes } from "./pod-volumes.ts";
import { portOf, type RunningPod, ServiceAddresses } from "./service-addresses.ts";
import type { AssignedPod } from "./stand-in-kubelet.ts";

/** Milliseconds between two probes, two starts of a container, and two looks for a missing Secret. */
const AGAIN_MS = 250;

/** Networks of test runs on this machine: each has a part of 127.0.0.0/8 of its own. */
const NETWORK = `127.${randomInt(1, 255)}.${randomInt(0, 255)}`;

export interface PodProcessesOptions {
  readonly api: KubeApi;
  readonly namespace: string;
  /** Folder for the pods' volumes. */
  readonly folder: string;
  /** See `ServiceAddresses`. */
  readonly outside: ReadonlyMap<string, string>;
}

/**
 * Runs the containers of pods as processes of this machine, in the repository instead of the image: with their arguments,
 * settings, Secrets and projected tokens, and an address of their own. Its readiness probe decides whether a pod is ready.
 */
export class PodProcesses {
  readonly services: ServiceAddresses;
  readonly #options: PodProcessesOptions;
  readonly #pods = new Map<string, RunningPod>();
  readonly #processes = new Map<string, RunningProcess>();

  constructor(options: PodProcessesOptions) {
    this.#options = options;
    const { api, namespace, outside } = options;
    this.services = new ServiceAddresses(api, namespace, { pods: () => [...this.#pods.values()], outside });
  }

  /** Process of a container, by the names of pod and container; the latest one where it was started again. */
  processOf(pod: string, container: string): RunningProcess | undefined {
    return this.#processes.get(`${pod}/${container}`);
  }

  /** Output of all containers whose pods have this component's label. */
  outputOf(component: string): string {
    return [...this.#pods.values()]
      .filter(({ pod }) => pod["metadata"].labels["app.kubernetes.io/component"] === component)
      .flatMap(({ pod }) => containersOf(pod).map(({ name }) => this.processOf(pod["metadata"].name, name)?.output()))
      .join("\n");
  }

  /** A `RunPod`. */
  async run(assigned: AssignedPod): Promise<void> {
    const { pod, signal } = assigned;
    const { name } = pod["metadata"];
    const address = `${NETWORK}.${this.#pods.size + 1}`;
    this.#pods.set(name, { pod, address, ready: false });
    const volumes = await this.#mount(pod, signal);
    const start = (container: KubernetesObject) => this.#start(pod, container, { address, volumes });
    for (const container of pod["spec"].initContainers ?? []) {
      const code = await runToEnd(() => start(container), assigned);
      if (code !== 0) return signal.aborted ? undefined : assigned.report(endedStatus(pod, code));
    }
    const [container] = pod["spec"].containers;
    if (endsByItself(pod)) {
      const code = await runToEnd(() => start(container), assigned);
      return signal.aborted ? undefined : assigned.report(endedStatus(pod, code));
    }
    while (!signal.aborted) await this.#serve(await start(container), assigned);
  }

  /** Makes the pod's volumes. Waits while a Secret or ConfigMap is missing, as the kubelet does. */
  async #mount(pod: KubernetesObject, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { api, folder } = this.#options;
    while (!signal.aborted) {
      try {
        return await makeVolumes(api, pod, join(folder, pod["metadata"].name));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      await pause(signal);
    }
    return new Map();
  }

  async #start(
    pod: KubernetesObject,
    container: KubernetesObject,
    { address, volumes }: { readonly address: string; readonly volumes: ReadonlyMap<string, string> },
  ): Promise<RunningProcess> {
    const mounted = (text: string) => {
      const mount = container["volumeMounts"].find(({ mountPath }: KubernetesObject) =>
        `${text}/`.startsWith(`${mountPath}/`),
      );
      return mount === undefined ? text : `${volumes.get(mount.name)}${text.slice(mount.mountPath.length)}`;
    };
    const env: Record<string, string> = { TMPDIR: mounted("/tmp") };
    for (const [name, value] of Object.entries(await this.#environment(container))) {
      env[name] = mounted(await this.services.resolve(value));
    }
    const args = await Promise.all(container["args"].map((arg: string) => this.services.resolve(arg)));
    const { NODE_COMPILE_CACHE = "" } = process.env;
    const options = { command: process.execPath, args, env: { ...env, HOST: address, NODE_COMPILE_CACHE } };
    const running = await startProcess(options);
    this.#processes.set(`${pod["metadata"].name}/${container["name"]}`, running);
    return running;
  }

  async #environment({ envFrom = [], env = [] }: KubernetesObject): Promise<Record<string, string>> {
    const { api, namespace } = this.#options;
    const variables: Record<string, string> = { ...imageEnv() };
    for (const { configMapRef } of envFrom) {
      Object.assign(
        variables,
        (await api.get(`/api/v1/namespaces/${namespace}/configmaps/${configMapRef.name}`))["data"],
      );
    }
    for (const { name, value } of env) variables[name] = value;
    return variables;
  }

  /** Reports whether the pod is ready until its process or the pod ends; then the process has ended. */
  async #serve(running: RunningProcess, { pod, signal, report }: AssignedPod): Promise<void> {
    const { name } = pod["metadata"];
    const { path, port } = pod["spec"].containers[0].readinessProbe.httpGet;
    const url = `http://${this.#pods.get(name)?.address}:${portOf(pod, port)}${path}`;
    let [reported, ended]: (boolean | undefined)[] = [];
    void running.exited.then(() => {
      ended = true;
    });
    while (!signal.aborted && !ended) {
      const ready = await answersOk(url);
      this.#setReady(name, ready);
      if (ready !== reported && !signal.aborted) await report(runningStatus(pod, ready));
      reported = ready;
      await pause(signal);
    }
    this.#setReady(name, false);
    await running.kill("SIGTERM");
    await pause(signal);
  }

  #setReady(name: string, ready: boolean): void {
    const known = this.#pods.get(name);
    if (known !== undefined) this.#pods.set(name, { ...known, ready });
  }
}

function containersOf({ spec }: KubernetesObject): readonly KubernetesObject[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

/** The exit code of a container; where its pod is to go on, it is started until it ends with 0. */
async function runToEnd(start: () => Promise<RunningProcess>, { pod, signal }: AssignedPod): Promise<number> {
  while (!signal.aborted) {
    const running = await start();
    const stop = () => running.signal("SIGTERM");
    signal.addEventListener("abort", stop);
    const { code } = await running.exited;
    signal.removeEventListener("abort", stop);
    if (code === 0 || endsByItself(pod)) return code ?? 1;
    await pause(signal);
  }
  return 1;
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
}
