import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "./config-error.ts";

const MAX_FILE_BYTES = 1 << 20;

/**
 * Reads the value of a variable from a file such as a mounted secret, without one line break at its end.
 *
 * @throws ConfigError if the file can't be read, is empty or is larger than 1 MiB. An empty file isn't an unset
 *   variable: a secret that was mounted empty must not silently become the default
 */
export function readValueFile(variable: string, path: string): string {
  const text = readBounded(variable, path).replace(/\r?\n$/, "");
  if (text === "") throw new ConfigError(variable, `expected a file with a value, ${JSON.stringify(path)} is empty`);
  return text;
}

function readBounded(variable: string, path: string): string {
  try {
    if (statSync(path).size <= MAX_FILE_BYTES) return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(variable, `expected a readable file, ${JSON.stringify(path)} gives ${errorCode(error)}`);
  }
  throw new ConfigError(variable, `expected a file of at most 1 MiB, ${JSON.stringify(path)} is larger`);
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "an error";
}
