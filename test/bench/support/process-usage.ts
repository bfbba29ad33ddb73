import { readFile } from "node:fs/promises";

/** USER_HZ, the unit of CPU time in /proc: 100 on every Linux on which Node runs. */
const TICKS_PER_SECOND = 100;
/** Positions of fields of proc(5) after the command name. */
const UTIME = 11;
const STIME = 12;

/** Returns the CPU time of a process so far, user and system, in microseconds, with a resolution of 10 ms. */
export async function cpuMicros(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The command name may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND) * 1e6;
}

/** Returns the resident memory of a process in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error(`no VmRSS of process ${pid}`);
  return Number(kibibytes) * 1024;
}
