import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { ROOT } from "./test/run-command.ts";

/**
 * Lays out the client's npm package in a folder: `.js` and `.d.ts` of its sources, package.json and licence. Then packs it there.
 *
 * @returns path of the packed file
 */
export function packClient(folder: string): string {
  const target = resolve(folder);
  mkdirSync(target, { recursive: true });
  execFileSync("tsc", ["-p", "client", "--outDir", target], { cwd: ROOT, stdio: "inherit" });
  copyFileSync(join(ROOT, "client/package.json"), join(target, "package.json"));
  copyFileSync(join(ROOT, "LICENSE"), join(target, "LICENSE"));
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts"], { cwd: target, encoding: "utf8" });
  const [{ filename }] = Object.values<{ filename: string }>(JSON.parse(packed)) as [{ filename: string }];
  return join(target, filename);
}

if (import.meta.main) console.log(packClient(process.argv[2] ?? join(ROOT, "data/client-package")));
