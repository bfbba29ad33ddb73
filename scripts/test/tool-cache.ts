import { homedir } from "node:os";
import { join } from "node:path";

/** A tool that can be run, or why it can't. */
export type FoundTool = { readonly path: string } | { readonly missing: string };

/** Returns the folder of installed tools of a kind, by version. It outlives a run and a clone. */
export function toolCache(kind: string): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "tidemark", kind);
}
