import { imageEnv } from "../repository/image-description.ts";

/** Returns the settings with which a process is started whose clock is `ms` ahead of this one's; behind if negative. */
export function shiftedClock(ms: number): Readonly<Record<string, string>> {
  const { NODE_OPTIONS = "" } = imageEnv();
  const module = new URL("shift-clock.mjs", import.meta.url).href;
  return { NODE_OPTIONS: `${NODE_OPTIONS} --import=${module}`, SHIFT_CLOCK_MS: String(ms) };
}
