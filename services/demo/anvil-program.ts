import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** How the optional packages with anvil's binary name a platform. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * The path of anvil's own binary, or undefined where npm had none for this platform. Not node_modules/.bin/anvil: that
 * is a Node script around it, which a signal would end or pause without its child.
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
