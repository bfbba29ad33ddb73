import process from "node:process";
import { actionCommit } from "./action-commit.ts";
import { imageDigest } from "./image-digest.ts";
import { pinFiles } from "./pinned-files.ts";
import { nameOf, type Reference } from "./references.ts";

// `npm run release:pin` asks the registries and git for the present digests and commits, and writes them. Look at the difference,
// run the checks, and commit it.
try {
  const changed = await pinFiles(resolve);
  console.log(changed.length === 0 ? "nothing changed" : `changed: ${changed.join(", ")}`);
} catch (error) {
  console.error(error instanceof Error ? `nothing is pinned: ${error.message}` : error);
  process.exitCode = 1;
}

async function resolve(reference: Reference): Promise<string> {
  const { kind, name, version } = reference;
  const ask = kind === "image" ? imageDigest : actionCommit;
  try {
    const pin = await ask(name, version);
    console.log(`${nameOf(reference)} is ${pin}`);
    return pin;
  } catch (cause) {
    throw new Error(`${nameOf(reference)} can't be resolved: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}
