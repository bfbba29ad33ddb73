import process from "node:process";
import { it } from "vitest";

/** Declares a test that Deno skips, with the reason in its name. Only for limits of Deno itself, not of our code. */
export function itOnNode(reason: string): (name: string, test: () => Promise<void>) => void {
  if (process.versions["deno"] === undefined) return it;
  return (name, test) => it.skip(`${name} (not on Deno: ${reason})`, test);
}
