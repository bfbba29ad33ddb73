import { readFile } from "node:fs/promises";

/** For `NODE_OPTIONS`: a process tells at its end how much memory it had at most (`toldPeakBytes`). */
export const TELL_PEAK = `--import=data:text/javascript,${encodeURIComponent(
  'process.on("exit",()=>process.stderr.write("peak:"+process.resourceUsage().maxRSS))',
)}`;

/** What a process that ran with `TELL_PEAK` told on standard error. @throws Error where it told nothing */
export function toldPeakBytes(errors: string): number {
  const kibibytes = /peak:(\d+)/.exec(errors)?.[1];
  if (kibibytes === undefined) throw new Error(`no peak was told: ${errors}`);
  return Number(kibibytes) * 1024;
}

/** The most memory that a running process has had so far. Linux only. */
export async function peakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
