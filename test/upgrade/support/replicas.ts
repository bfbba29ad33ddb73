import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { RunningProcess } from "../../support/processes/child-process.ts";
import { Balancer } from "./balancer.ts";

/** A process that serves at `url`. */
export interface Replica {
  readonly process: RunningProcess;
  readonly url: string;
  /** The URL of its admin port, with metrics. */
  readonly adminUrl: string;
}

/** Starts a replica of the version in the folder `root`. */
type StartReplica<Each extends Replica> = (root: string) => Promise<Each>;

/** Processes of one component behind a balancer. */
export class Replicas<Each extends Replica = Replica> implements AsyncDisposable {
  readonly #balancer: Balancer;
  readonly #name: string;
  readonly #start: StartReplica<Each>;
  #running: readonly Each[] = [];

  constructor(name: string, balancer: Balancer, start: StartReplica<Each>) {
    this.#name = name;
    this.#balancer = balancer;
    this.#start = start;
  }

  /** Creates replicas with their own balancer. */
  static async create<Each extends Replica>(name: string, start: StartReplica<Each>): Promise<Replicas<Each>> {
    return new Replicas(name, await Balancer.start(), start);
  }

  /** The URL of the balancer. */
  get url(): string {
    return this.#balancer.url;
  }

  /** The replica that has run longest. @throws Error if none runs */
  get oldest(): Each {
    const [oldest] = this.#running;
    if (oldest === undefined) throw new Error(`no ${this.#name} runs`);
    return oldest;
  }

  /** Starts replicas of the version in the folder `root` until there are `count`; none if that version has no such component. */
  async scale(count: number, root: string): Promise<void> {
    while (this.#isIn(root) && this.#running.length < count) await this.#add(root);
  }

  /**
   * Does a rolling update to the version in the folder `root`: starts a new replica for each old one, then retires the old one.
   * If that version has no such component, it retires them all.
   */
  async roll(root: string): Promise<void> {
    for (const old of this.#running) {
      if (this.#isIn(root)) await this.#add(root);
      await this.retire(old);
    }
  }

  /** Stops a replica, which must end with exit code 0. The balancer removes it at the same time, as a cluster does. */
  async retire(old: Each): Promise<void> {
    this.#running = this.#running.filter((replica) => replica !== old);
    this.#balancer.remove(portOf(old));
    const exit = await old.process.kill("SIGTERM");
    expect({ name: this.#name, ...exit, output: exit.code === 0 ? "" : old.process.output() }).toEqual({
      name: this.#name,
      code: 0,
      signal: null,
      output: "",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map(({ process }) => process.kill()));
    await this.#balancer[Symbol.asyncDispose]();
  }

  #isIn(root: string): boolean {
    return existsSync(join(root, mainOf(this.#name)));
  }

  async #add(root: string): Promise<void> {
    const replica = await this.#start(root);
    this.#running = [...this.#running, replica];
    this.#balancer.add(portOf(replica));
  }
}

/** The entry file of a component. */
export function mainOf(name: string): string {
  return name === "gateway" ? "gateway/main.ts" : `services/${name}/main.ts`;
}

function portOf({ url }: Replica): number {
  return Number(new URL(url).port);
}
