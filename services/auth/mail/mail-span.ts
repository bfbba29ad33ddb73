import { recordedTrace, trace } from "../../../common/platform/tracing/tracing.ts";
import type { MailFailure } from "./mail-fault.ts";

/** The mail server. Who writes to whom, and what, is in no span. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
}

/** Runs `work`, which sends a mail by SMTP, as a client span of a recorded trace. Outside of one it costs nothing. */
export function traceMail<Result>({ host, port }: MailServer, work: () => Promise<Result>): Promise<Result> {
  if (recordedTrace() === undefined) return work();
  const attributes = { "network.protocol.name": "smtp", "server.address": host, "server.port": port };
  return trace("send mail", { kind: "client", attributes, failureType }, work);
}

/** The server's reply code; else nodemailer's name of the failure, or its class. */
function failureType(error: unknown): string {
  const { responseCode, code }: MailFailure = Object(error);
  return String(responseCode ?? code ?? (error instanceof Error ? error.name : "unknown"));
}
