import { actionCommit } from "./action-commit.ts";
import { imageDigest } from "./image-digest.ts";
import { pinFiles } from "./pinned-files.ts";
import { nameOf } from "./references.ts";

// `npm run release:pin` asks the registries and git for the present digests and commits, and writes them. Look at the difference,
// run the checks, and commit it.
const changed = await pinFiles(async (reference) => {
  const { kind, name, version } = reference;
  const pin = kind === "image" ? await imageDigest(name, version) : await actionCommit(name, version);
  console.log(`${nameOf(reference)} is ${pin}`);
  return pin;
});
console.log(changed.length === 0 ? "nothing changed" : `changed: ${changed.join(", ")}`);
