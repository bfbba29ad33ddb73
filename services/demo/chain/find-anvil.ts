import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** Names of processor architectures in anvil's npm packages, by Node's name. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * The path of anvil's own binary, or undefined if npm has none for this platform. `node_modules/.bin/anvil` won't do: it
 * is a Node script around the binary, and a signal would end or pause that script without its child.
 */
export function findAnvil(): string | undefined {
  const name = process.platform === "win32" ? "anvil.exe" : "anvil";
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  try {
    const path = createRequire(import.meta.url).resolve(
      `@foundry-rs/anvil-${process.platform}-${architecture}/bin/${name}`,
    );
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
