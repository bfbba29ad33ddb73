import { Semaphore } from "../concurrency/semaphore.ts";

interface Host {
  readonly semaphore: Semaphore;
  /** Requests that run or wait. */
  users: number;
}

/** Places for requests, a number for each host, so that a slow one can't take all of a process. */
export class HostSlots {
  readonly #perHost: number;
  readonly #hosts = new Map<string, Host>();

  constructor(perHost: number) {
    this.#perHost = perHost;
  }

  /** Runs `work` when the host has a place. @throws the signal's reason if it is aborted while the work waits */
  async run<Result>(name: string, work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const host = this.#hosts.get(name) ?? { semaphore: new Semaphore(this.#perHost), users: 0 };
    this.#hosts.set(name, host);
    host.users += 1;
    try {
      return await host.semaphore.run(work, signal);
    } finally {
      host.users -= 1;
      if (host.users === 0) this.#hosts.delete(name);
    }
  }
}
