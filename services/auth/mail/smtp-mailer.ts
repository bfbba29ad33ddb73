import { isIP } from "node:net";
import type { SMTPPoolOptions } from "nodemailer";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import { type Mail, type Mailbox, type OpenMailer, unsubscribeHeaders } from "../base/mailer.ts";
import { type MailFailure, mailFault } from "./mail-fault.ts";
import { type MailServer, traceMail } from "./mail-span.ts";

export interface SmtpMailerOptions {
  /** `smtps://` uses TLS from the start; `smtp://` uses STARTTLS if the server offers it. */
  readonly url: string;
  readonly from: Mailbox;
  readonly logger: Logger;
  /** The time limit for a mail, in milliseconds; 10 s by default. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const STEP_TIMEOUT_MS = 5_000;
const CONNECTIONS = 4;
const MAILS_A_CONNECTION = 100;
/** The maximum of mails that are being sent or wait for a connection; more are refused. */
const MAX_UNDER_WAY = 200;
const MAX_REPLY_BYTES = 64 * 2 ** 10;
const MINIMUM_TLS = "TLSv1.2";

/** Opens a mailer that sends by SMTP, over a few connections that stay open while they are used. */
export async function openSmtpMailer(options: SmtpMailerOptions): Promise<OpenMailer> {
  const { from, logger, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  // Loaded only if mails are sent by SMTP.
  const { createTransport } = await import("nodemailer");
  const smtp = smtpOptions(options.url);
  const transport = createTransport({ ...smtp, pool: true });
  let underWay = 0;
  const deliver = async ({ to, unsubscribeUrl, ...content }: Mail) => {
    const envelope = { from: from.address, to: [to] };
    const unsubscribe = unsubscribeHeaders(unsubscribeUrl === undefined ? {} : { unsubscribeUrl });
    const headers = { "Auto-Submitted": "auto-generated", ...unsubscribe };
    const signal = AbortSignal.timeout(timeoutMs);
    await transport.sendMail({ ...content, from, to: { name: "", address: to }, envelope, headers, signal });
  };
  return {
    async send(mail) {
      if (underWay >= MAX_UNDER_WAY) {
        logger.warn(
          { reason: `${MAX_UNDER_WAY} mails wait for the mail server of SMTP_URL` },
          "a mail could not be sent",
        );
        throw unavailable();
      }
      underWay += 1;
      try {
        await traceMail(smtp, () => deliver(mail));
      } catch (error) {
        logger.warn(loggable(error), "a mail could not be sent");
        throw unavailable();
      } finally {
        underWay -= 1;
      }
    },
    close: async () => transport.close({ force: true }),
  };
}

/** The options of nodemailer for an SMTP URL. Exported for its test. */
export function smtpOptions(url: string): SMTPPoolOptions & MailServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const hasCredentials = username !== "";
  return {
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // Credentials never leave the machine unencrypted, even if an attacker removes STARTTLS from the server's offer.
    requireTLS: hasCredentials && !secure && !isLoopback(host),
    tls: { minVersion: MINIMUM_TLS },
    ...(hasCredentials ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_A_CONNECTION,
    maxRequeues: 1,
    maxResponseSize: MAX_REPLY_BYTES,
    dnsTimeout: STEP_TIMEOUT_MS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: DEFAULT_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

/** Returns the loggable facts of an error: the reason in words, and nodemailer's own names. Its message and the server's reply contain addresses. */
function loggable(error: unknown): Record<string, unknown> {
  const failure: MailFailure = Object(error);
  const { code, originalCode, responseCode, command } = failure;
  const reason = mailFault(failure);
  return { reason, smtp_error: code, smtp_cause: originalCode, smtp_reply: responseCode, smtp_command: command };
}

function unavailable(): ServiceError {
  return new ServiceError("unavailable", "the mail could not be sent, try again later");
}
