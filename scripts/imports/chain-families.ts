import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders whose subject is chains. */
const CHAIN_FOLDERS = ["common/chains/", "common/contracts/", "common/verify/"];

/** Returns the files that name a family of chains although their subject is another one. */
export function filesNamingFamilies(root: string, files: Iterable<string>): string[] {
  const others = [...files].filter((file) => !CHAIN_FOLDERS.some((folder) => file.startsWith(folder)));
  return others.filter((file) => namesFamily(readFileSync(join(root, file), "utf8")));
}

/** Whether a text names a family of chains, in an identifier, a string or a comment. */
export function namesFamily(source: string): boolean {
  return /evm|svm/i.test(source);
}
