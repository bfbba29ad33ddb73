import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import { untilDefined } from "../repository/polling.ts";

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

/**
 * The code of the next mail to an address, once it is there.
 *
 * @param read names of the files that were looked at; those that are looked at are added
 */
export async function nextCode(mailFolder: string, email: string, read = new Set<string>()): Promise<string> {
  return untilDefined(async () => {
    const names = (await readdir(mailFolder).catch(() => [])).filter((name) => name.endsWith(".eml"));
    for (const name of names.toSorted().filter((one) => !read.has(one))) {
      const mail = await readFile(join(mailFolder, name), "utf8");
      read.add(name);
      if (!mail.includes(`To: ${email}`) || !/^ *[A-Z]{4}-[A-Z]{4} *$/m.test(mail)) continue;
      return codeIn(mail);
    }
    return undefined;
  });
}
