import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as an SMTP server took it over. */
export interface TakenMail {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly raw: string;
  readonly message: Email;
}

/** A real SMTP server that keeps what it is given. */
export interface SmtpSink {
  readonly port: number;
  readonly mails: TakenMail[];
  /** Connections at once, at most, so far. */
  readonly mostConnections: () => number;
  stop(): Promise<void>;
}

/** Listens on 127.0.0.1; without TLS and log-in unless `options` say otherwise. */
export async function startSmtpSink(options: SMTPServerOptions = {}): Promise<SmtpSink> {
  const mails: TakenMail[] = [];
  const open = { now: 0, most: 0 };
  const server = new SMTPServer({
    hideSTARTTLS: true,
    authOptional: true,
    onConnect(_session, callback) {
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      callback();
    },
    onClose() {
      open.now -= 1;
    },
    onData(stream, { envelope }, callback) {
      keep(stream, envelope).then(() => callback(), callback);
    },
    ...options,
  });
  // A client that gives up ends its connection as it likes.
  server.on("error", () => undefined);
  async function keep(stream: AsyncIterable<Buffer>, envelope: Pick<SMTPEnvelope, "mailFrom" | "rcptTo">) {
    const raw = Buffer.concat(await Array.fromAsync(stream));
    mails.push({
      sender: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
      recipients: envelope.rcptTo.map(({ address }) => address),
      raw: raw.toString("utf8"),
      message: await PostalMime.parse(raw),
    });
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    mostConnections: () => open.most,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

type SMTPEnvelope = Parameters<NonNullable<SMTPServerOptions["onData"]>>[1]["envelope"];
