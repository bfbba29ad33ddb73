import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type { Mail, Mailer } from "../base/mailer.ts";
import { formatMailbox, type Mailbox, unsubscribeHeaders } from "../base/mailer.ts";

export interface FileMailerOptions {
  readonly folder: string;
  readonly from: Mailbox;
  readonly clock: Clock;
  readonly logger: Logger;
  /** An interactive terminal that also shows each mail. */
  readonly terminal?: { write(text: string): void } | undefined;
}

/** The maximum in the folder; the oldest are deleted first. */
export const KEPT_MAILS = 200;
/** Names of the files. They sort by time. */
export const MAIL_FILE = /^\d{8}T\d{9}Z-[0-9a-f]{12}\.eml$/;

/** Writes mails into a folder as text files, for a person who works on this machine. */
export function fileMailer(options: FileMailerOptions): Mailer {
  return {
    async send(mail) {
      const date = new Date(Number(options.clock()));
      try {
        await writeMail(options, mail, date);
        await removeOldest(options.folder);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        options.logger.warn({ reason: `MAIL_DIR can't be written: ${code}` }, "a mail could not be sent");
        throw new ServiceError("unavailable", "the mail could not be written, try again later");
      }
      options.terminal?.write(`\nMail to ${mail.to}: ${mail.subject}\n\n${mail.text}\n`);
    },
  };
}

/** Writes a mail and renames it when it is complete, so that a program that watches the folder never reads half a mail. */
async function writeMail({ folder, from }: FileMailerOptions, mail: Mail, date: Date): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = date.toISOString().replaceAll(/[-:.]/g, "");
  const path = join(folder, `${time}-${randomBytes(6).toString("hex")}.eml`);
  await writeFile(`${path}.part`, message(from, mail, date), { mode: 0o600, flag: "wx" });
  await rename(`${path}.part`, path);
}

/** A message with UTF-8 in its headers (RFC 6532). Addresses and names were checked, so they contain no line breaks. */
function message(from: Mailbox, { to, subject, text, ...mail }: Mail, date: Date): string {
  return [
    `From: ${formatMailbox(from)}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    ...Object.entries(unsubscribeHeaders(mail)).map(([name, value]) => `${name}: ${value}`),
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    text,
  ].join("\n");
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => MAIL_FILE.test(name)).toSorted();
  for (const name of names.slice(0, -KEPT_MAILS)) await rm(join(folder, name), { force: true });
}
