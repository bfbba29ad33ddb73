import { once } from "node:events";
import type { KubernetesObject } from "../../support/repository/chart.ts";
import { type Change, isConflict, isNotFound, type KubeApi } from "./api.ts";
import { endedStatus, endsByItself, runningStatus } from "./pod-status.ts";

/** A pod that was admitted, and what its node does with it. */
export interface AssignedPod {
  readonly pod: KubernetesObject;
  /** Aborted when the pod is to end. */
  readonly signal: AbortSignal;
  /** Writes the pod's status. */
  report(status: KubernetesObject): Promise<void>;
}

/** Does what a pod says until it has ended or its signal is aborted. */
export type RunPod = (assigned: AssignedPod) => Promise<void>;

/** The pods of a namespace, as scheduler and kubelet treat them: each goes to a node, runs, and is removed once it has ended. */
export class StandInKubelet {
  readonly #api: KubeApi;
  readonly #pods: string;
  readonly #node: string;
  readonly #runPod: RunPod;
  readonly #running = new Map<string, { readonly end: AbortController; readonly ended: Promise<void> }>();
  readonly #stopping = new AbortController();
  readonly #watching: Promise<void>;
  readonly #failures: unknown[] = [];

  constructor(api: KubeApi, namespace: string, runPod: RunPod, node = "stand-in") {
    this.#api = api;
    this.#pods = `/api/v1/namespaces/${namespace}/pods`;
    this.#node = node;
    this.#runPod = runPod;
    this.#watching = this.#watch();
  }

  /** Ends all pods' runs; the pods stay as they are. @throws AggregateError with what went wrong meanwhile */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { end } of this.#running.values()) end.abort();
    await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
    await this.#watching;
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, "the stand-in of the kubelet failed");
  }

  async #watch(): Promise<void> {
    try {
      for await (const change of this.#api.changes(this.#pods, this.#stopping.signal)) this.#take(change);
    } catch (error) {
      this.#failures.push(error);
    }
  }

  #take({ type, object }: Change): void {
    const { uid, deletionTimestamp } = object["metadata"];
    const known = this.#running.get(uid);
    if (type === "DELETED" || deletionTimestamp !== undefined) {
      known?.end.abort();
      return;
    }
    if (known !== undefined) return;
    const end = new AbortController();
    const ended = this.#run(object, end.signal).catch((error: unknown) => {
      this.#failures.push(error);
    });
    this.#running.set(uid, { end, ended });
  }

  /** Runs a pod from its assignment to its removal. It may be deleted at any moment, after which nothing is left to do. */
  async #run(pod: KubernetesObject, signal: AbortSignal): Promise<void> {
    const path = `${this.#pods}/${pod["metadata"].name}`;
    const report = (status: KubernetesObject) =>
      unlessGone(() => this.#api.patch(`${path}/status`, { metadata: { uid: pod["metadata"].uid }, status }));
    await unlessGone(() => this.#api.create(`${path}/binding`, bindingOf(pod, this.#node)));
    await this.#runPod({ pod, signal, report });
    await aborted(signal);
    if (this.#stopping.signal.aborted) return;
    const removal = { gracePeriodSeconds: 0, preconditions: { uid: pod["metadata"].uid } };
    await unlessGone(() => this.#api.delete(path, removal));
  }
}

/** Runs nothing: pods are ready at once, those that end by themselves end, and those that `fails` says fail. */
export function withoutContainers(fails: (pod: KubernetesObject) => boolean = () => false): RunPod {
  return ({ pod, report }) =>
    report(endsByItself(pod) ? endedStatus(pod, fails(pod) ? 1 : 0) : runningStatus(pod, true));
}

function bindingOf({ metadata }: KubernetesObject, node: string): KubernetesObject {
  const target = { apiVersion: "v1", kind: "Node", name: node };
  return { apiVersion: "v1", kind: "Binding", metadata: { name: metadata.name }, target };
}

async function unlessGone(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Resolves once a signal is aborted. */
async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
