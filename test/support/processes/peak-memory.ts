import { readFile } from "node:fs/promises";

/** Value of `NODE_OPTIONS` with which a process prints its peak memory when it ends; see `reportedPeakBytes`. */
export const REPORT_PEAK_MEMORY = `--import=data:text/javascript,${encodeURIComponent(
  'process.on("exit",()=>process.stderr.write("peak:"+process.resourceUsage().maxRSS))',
)}`;

/** Returns the peak memory that a process with `REPORT_PEAK_MEMORY` printed on standard error. @throws Error if it is missing */
export function reportedPeakBytes(errors: string): number {
  const kibibytes = /peak:(\d+)/.exec(errors)?.[1];
  if (kibibytes === undefined) throw new Error(`no peak memory was printed: ${errors}`);
  return Number(kibibytes) * 1024;
}

/** Returns the peak memory of a running process so far. Linux only. */
export async function peakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
