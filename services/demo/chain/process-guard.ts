import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";

/** Waits for the end of its input, which comes when the process at the other end dies, however it dies. */
const GUARD_SCRIPT = 'read -r _; kill -s KILL -- "-$1"';

/**
 * Kills a child's whole process group when this process dies, even if this process is killed with SIGKILL and can
 * run no clean-up. The guard is a shell that waits on a pipe from this process. It has a process group of its own, so
 * that a Ctrl-C doesn't end it too early. It ends when the child does.
 *
 * @param child a process that leads its own group (spawned with `detached: true`)
 */
export function guardProcessGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const guard = spawn("sh", ["-c", GUARD_SCRIPT, "guard", String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.on("error", () => killProcessGroup(child));
  guard.stdin.on("error", () => {});
  guard.unref();
  child.once("exit", () => guard.kill("SIGKILL"));
}

/** Kills the rest of a child's process group at once. A group that is gone already is no error. */
export function killProcessGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
