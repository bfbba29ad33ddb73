import { execFile } from "node:child_process";
import { chmodSync, globSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { requireProgram } from "../support/processes/program.ts";
import type { KubernetesObject, RenderedPod } from "../support/repository/chart.ts";
import type { ContainerImage } from "../support/repository/container-image.ts";

const EXEC_LIMIT_MS = 4 * 60_000;
const READY_LIMIT_MS = 4 * 60_000;

/** Folders of this machine, in place of the libraries that the base image brings. */
const LIBRARIES = ["/lib", "/lib64", "/usr/lib"];

const NAME = "tidemark-confined";

/**
 * The first container of a rendered pod, run by runc: with its arguments, user, capabilities, read-only root, memory limit and
 * volumes, in namespaces of its own. Neither seccomp nor network policies are applied.
 */
export class ConfinedContainer {
  /** Ends with the container's exit code. */
  readonly process: RunningProcess;
  readonly #state: string;

  private constructor(running: RunningProcess, state: string) {
    this.process = running;
    this.#state = state;
  }

  /** @param settings values of its ConfigMap */
  static async start(
    image: ContainerImage,
    pod: RenderedPod,
    settings: Readonly<Record<string, string>>,
    ready: RegExp,
  ): Promise<ConfinedContainer> {
    removeEarlier();
    const bundle = image.volume("bundle");
    const state = image.volume("runc");
    writeFileSync(join(bundle, "config.json"), JSON.stringify(specification(image, pod, settings)));
    const alone = ["--mount", "--pid", "--fork", "--mount-proc", "--kill-child"];
    const run = [requireProgram("runc"), "--root", state, "run", "--bundle", bundle, containerName()];
    const options = { command: requireProgram("unshare"), args: [...alone, ...run], ready };
    return new ConfinedContainer(await startProcess({ ...options, readyTimeoutMs: READY_LIMIT_MS }), state);
  }

  /** Output of a script that the image's Node runs in the container, as `kubectl exec` would. @throws Error where it fails */
  async evaluate(script: string): Promise<string> {
    const { stdout } = await this.#runc("exec", containerName(), "/nodejs/bin/node", "--eval", script);
    return stdout.trim();
  }

  /** Sends SIGTERM to the container's process, as a kubelet does. */
  async terminate(): Promise<void> {
    await this.#runc("kill", containerName(), "TERM");
  }

  /** runc, in the namespaces of the process that started the container. */
  #runc(...args: readonly string[]) {
    const { pid } = this.process;
    const [child = ""] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    const inside = ["--target", child, "--mount", "--pid", requireProgram("runc"), "--root", this.#state];
    return promisify(execFile)(requireProgram("nsenter"), [...inside, ...args], { timeout: EXEC_LIMIT_MS });
  }
}

function containerName(): string {
  return `${NAME}-${process.pid}`;
}

/** Removes the cgroups of runs that were killed; those of running ones can't be removed. */
function removeEarlier(): void {
  for (const folder of globSync(`/sys/fs/cgroup/**/${NAME}-*`)) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY") throw error;
    }
  }
}

/** A container as the runtime specification 1.0.2 of the Open Container Initiative describes one. */
function specification(image: ContainerImage, pod: RenderedPod, settings: Readonly<Record<string, string>>) {
  const { description, root } = image;
  const [container] = pod.spec["containers"];
  const { securityContext, args } = container;
  const dropped = securityContext.capabilities?.drop ?? [];
  if (dropped.join() !== "ALL") throw new Error("the container keeps capabilities");
  const environment = Object.entries({ ...description.env, ...settings });
  return {
    ociVersion: "1.0.2",
    root: { path: root, readonly: securityContext.readOnlyRootFilesystem === true },
    process: {
      user: { uid: securityContext.runAsUser, gid: securityContext.runAsGroup },
      cwd: "/app",
      env: environment.map(([name, value]) => `${name}=${value}`),
      args: [...description.entrypoint, ...args],
      capabilities: {},
      noNewPrivileges: securityContext.allowPrivilegeEscalation === false,
    },
    mounts: [...systemMounts(root), ...volumeMounts(image, pod, container)],
    linux: {
      namespaces: ["pid", "network", "ipc", "uts", "mount"].map((type) => ({ type })),
      resources: { memory: { limit: mebibytes(container.resources.limits.memory) * 2 ** 20 } },
    },
  };
}

function systemMounts(root: string) {
  const libraries = LIBRARIES.map((source) => bind(source, source, "ro"));
  const proc = { destination: "/proc", type: "proc", source: "proc" };
  const dev = { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755", "size=64k"] };
  for (const { destination } of [...libraries, proc, dev]) mkdirSync(join(root, destination), { recursive: true });
  return [proc, dev, ...libraries];
}

function volumeMounts(image: ContainerImage, pod: RenderedPod, container: KubernetesObject) {
  return container["volumeMounts"].map(({ name, mountPath }: KubernetesObject) => {
    const mountPoint = join(image.root, mountPath);
    mkdirSync(mountPoint, { recursive: true });
    // runc gives a new file system the mode of the folder below it.
    chmodSync(mountPoint, 0o1777);
    const { emptyDir } = pod.spec["volumes"].find((each: KubernetesObject) => each["name"] === name);
    if (emptyDir === undefined) return bind(mountPath, image.volume(`volume-${name}`), "rw");
    const options = ["nosuid", "nodev", `size=${mebibytes(emptyDir.sizeLimit)}m`];
    return { destination: mountPath, type: "tmpfs", source: "tmpfs", options };
  });
}

function bind(destination: string, source: string, access: "ro" | "rw") {
  return { destination, type: "bind", source, options: ["rbind", access] };
}

/** Number of MiB in a quantity of Kubernetes. */
function mebibytes(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  if (unit === undefined) throw new Error(`${quantity} is not understood`);
  return Number(amount) * (unit === "Gi" ? 1024 : 1);
}
