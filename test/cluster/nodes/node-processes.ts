import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { type RunningProcess, startProcess } from "../../support/processes/child-process.ts";
import { until } from "../../support/repository/polling.ts";
import { cgroupOf, processesIn } from "./cgroups.ts";

/** The processes of a node that another process has started: it can lose its power, and get it again. */
export class NodeProcesses {
  readonly #name: string;
  readonly #commands: readonly (readonly string[])[];
  readonly #restarted: RunningProcess[] = [];

  private constructor(name: string, commands: readonly (readonly string[])[]) {
    this.#name = name;
    this.#commands = commands;
  }

  /** Finds containerd and kubelet of a running node. @throws Error where one isn't there */
  static find(name: string): NodeProcesses {
    const commands = [containerdOf(name), kubeletOf(name)].map(([pid]) => {
      if (pid === undefined) throw new Error(`${name} doesn't run`);
      return argumentsOf(pid);
    });
    return new NodeProcesses(name, commands);
  }

  /** Ends all of them at once, those of pods too, as a machine does that loses power. */
  async die(): Promise<void> {
    for (const pid of this.#running()) kill(pid);
    await until(async () => this.#running().length === 0);
  }

  /** Starts containerd and kubelet as they were. */
  async restart(): Promise<void> {
    const ready = [/containerd successfully booted/, /Started kubelet/] as const;
    for (const [index, [command = "", ...args]] of this.#commands.entries()) {
      const pattern = ready[index];
      this.#restarted.push(await startProcess({ command, args, ...(pattern !== undefined && { ready: pattern }) }));
    }
  }

  #running(): readonly number[] {
    return [...kubeletOf(this.#name), ...containerdOf(this.#name), ...podProcessesOf(this.#name)];
  }
}

/** Socket of a node's containerd. */
export function socketOf(name: string): string {
  return `/run/${name}/containerd.sock`;
}

/** The processes of a node's pods, and those that hold containers for containerd. */
export function podProcessesOf(name: string): readonly number[] {
  return [...processesWith((args) => args.includes(socketOf(name))), ...processesIn(cgroupOf(name))];
}

function kubeletOf(name: string): readonly number[] {
  const flag = `--hostname-override=${name}`;
  return processesWith((args) => args[0]?.endsWith("/kubelet") === true && args.includes(flag));
}

function containerdOf(name: string): readonly number[] {
  return processesWith(
    (args) => args[0] === "containerd" && args.at(-1)?.endsWith(`/${name}/containerd.toml`) === true,
  );
}

function processesWith(matches: (args: readonly string[]) => boolean): readonly number[] {
  const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  return pids.map(Number).filter((pid) => matches(argumentsOf(pid)));
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** Kills a process, if it is still there. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
