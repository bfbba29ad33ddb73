/** Runs work after what is under way, as `setImmediate` of `node:timers`. */
export function setImmediate(work: () => void): void {
  setTimeout(work, 0);
}
