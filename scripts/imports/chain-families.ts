import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BROWSER_MODULES, BUNDLE } from "../browser-client.ts";

/** Folders whose subject is chains. */
const CHAIN_FOLDERS = ["common/chains/", "common/contracts/", "common/verify/", BUNDLE];

/** Returns the files that name a family of chains although their subject is another one. */
export function filesNamingFamilies(root: string, files: Iterable<string>): string[] {
  const others = [...files].filter(
    (file) => !isAboutChains(file) && !(BROWSER_MODULES[file] ?? [""]).every(isAboutChains),
  );
  return others.filter((file) => namesFamily(readFileSync(join(root, file), "utf8")));
}

/** Whether a file's subject is chains. A module for browsers has the subject of the files that it is made of. */
function isAboutChains(file: string): boolean {
  return CHAIN_FOLDERS.some((folder) => file.startsWith(folder));
}

/** Whether a text names a family of chains, in an identifier, a string or a comment. */
export function namesFamily(source: string): boolean {
  return /evm|svm/i.test(source);
}
