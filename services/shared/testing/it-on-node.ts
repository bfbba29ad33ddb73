import process from "node:process";
import { it } from "vitest";

/** `it`, but on Deno a test that is skipped and says why in its name. For limits of Deno itself, not of our code. */
export function itOnNode(reason: string): (name: string, test: () => Promise<void>) => void {
  if (process.versions["deno"] === undefined) return it;
  return (name, test) => it.skip(`${name} (not on Deno: ${reason})`, test);
}
