import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MAIL_FILE } from "./file-mailer.ts";

/** A mail that `fileMailer` wrote. */
export interface StoredMail {
  readonly to: string;
  readonly subject: string;
  /** Value of the header of that name. */
  readonly date: string;
  readonly text: string;
}

/** Returns the latest mails of a folder, the newest first; none if there is no folder yet. */
export async function readStoredMails(folder: string, most: number): Promise<readonly StoredMail[]> {
  const names = (await orNone(readdir(folder))) ?? [];
  const latest = names
    .filter((name) => MAIL_FILE.test(name))
    .toSorted()
    .slice(-most)
    .toReversed();
  // An older one may be deleted meanwhile.
  const messages = await Promise.all(latest.map((name) => orNone(readFile(join(folder, name), "utf8"))));
  return messages.flatMap((message) => (message === undefined ? [] : [storedMail(message)]));
}

async function orNone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

function storedMail(message: string): StoredMail {
  const end = message.indexOf("\n\n");
  const headers = new Map(
    message
      .slice(0, end)
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const),
  );
  const header = (name: string) => headers.get(name) ?? "";
  return { to: header("To"), subject: header("Subject"), date: header("Date"), text: message.slice(end + 2) };
}
