import { failed, ok, type ProbeFinding } from "../../../common/platform/checks/finding.ts";
import type { Probe } from "../../../common/platform/checks/run-probes.ts";
import { requireWritableFolder } from "../../../common/platform/config/writable-folder.ts";
import type { MailConfig } from "../base/config.ts";
import { type MailFailure, mailFault } from "./mail-fault.ts";
import { smtpOptions } from "./smtp-mailer.ts";

/** A check of the ways in which mails leave. It logs in to the mail server and sends nothing. @param read throws ConfigError */
export function mailProbe(read: () => Pick<MailConfig, "smtpUrl" | "folder">): Probe {
  return {
    subject: "mail",
    async run() {
      const { smtpUrl, folder } = read();
      if (folder !== undefined) requireWritableFolder("MAIL_DIR", folder);
      return [
        ...(folder === undefined ? [] : [ok("mails are written to the folder of MAIL_DIR")]),
        ...(smtpUrl === undefined ? [] : [await serverFinding(smtpUrl)]),
      ];
    },
  };
}

async function serverFinding(url: string): Promise<ProbeFinding> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpOptions(url));
  try {
    await transport.verify();
    return ok(
      new URL(url).username === ""
        ? "the mail server of SMTP_URL answers; SMTP_URL has no account, so none was tried"
        : "the mail server of SMTP_URL answers and takes the account",
    );
  } catch (error) {
    const failure: MailFailure = Object(error);
    return failed(mailFault(failure));
  } finally {
    transport.close();
  }
}
