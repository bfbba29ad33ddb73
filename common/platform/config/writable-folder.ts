import { accessSync, constants, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";

/**
 * Checks that a folder is writable, or can be created, without creating it.
 *
 * @throws ConfigError naming the variable
 */
export function requireWritableFolder(variable: string, folder: string): void {
  const path = resolve(folder);
  try {
    const nearest = nearestThatExists(path);
    if (!statSync(nearest).isDirectory()) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "an error";
    throw new ConfigError(variable, `expected a folder that can be written to, ${JSON.stringify(path)} gives ${code}`);
  }
}

function nearestThatExists(path: string): string {
  try {
    statSync(path);
    return path;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing || dirname(path) === path) throw error;
    return nearestThatExists(dirname(path));
  }
}
