import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { compileContracts, staleArtefacts } from "./contract-artefacts.ts";

// `npm run contracts` writes the artefacts of test/contracts anew; with `--check` it only says which aren't current.
if (process.argv.includes("--check")) await check();
else await write();

async function check(): Promise<void> {
  const stale = await staleArtefacts(".");
  if (stale.length === 0) return;
  console.error(`Not what the contracts say; run \`npm run contracts\`:\n  ${stale.join("\n  ")}`);
  process.exitCode = 1;
}

async function write(): Promise<void> {
  for (const { path, text } of await compileContracts(".")) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
