import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { compileContracts, staleArtefacts } from "./contract-artefacts.ts";

// `npm run contracts` generates the artefacts of contracts/ and test/contracts/. With `--check` it only lists stale ones.
if (process.argv.includes("--check")) await check();
else await write();

async function check(): Promise<void> {
  const stale = await staleArtefacts(".");
  if (stale.length === 0) return;
  console.error(`Out of date; run \`npm run contracts\`:\n  ${stale.join("\n  ")}`);
  process.exitCode = 1;
}

async function write(): Promise<void> {
  for (const { path, text } of await compileContracts(".")) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
