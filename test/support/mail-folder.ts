import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The newest mail in a folder that the auth service writes mails to. @throws Error where there is none */
export async function newestMail(folder: string): Promise<string> {
  // What is still being written has another ending; names begin with the time.
  const newest = (await readdir(folder))
    .filter((name) => name.endsWith(".eml"))
    .toSorted()
    .at(-1);
  if (newest === undefined) throw new Error(`there is no mail in ${folder}`);
  return readFile(join(folder, newest), "utf8");
}
