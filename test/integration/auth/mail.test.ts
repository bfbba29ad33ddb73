import { type AddressInfo, createServer, type Socket } from "node:net";
import type { SMTPServerOptions } from "smtp-server";
import { expect, it, onTestFinished } from "vitest";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { recordSpans } from "../../../common/platform/testing/span-recorder.ts";
import { setTracer, traceRoot } from "../../../common/platform/tracing/tracing.ts";
import { CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { openSmtpMailer } from "../../../services/auth/mail/smtp-mailer.ts";
import { accountClient, failureOf, newBrowserToken, PEER } from "../../../services/auth/testing/account-client.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { startSmtpSink } from "../../support/processes/smtp-sink.ts";
import { POLL_TIMEOUT_MS } from "../../support/repository/polling.ts";

const from = { name: "The Sale", address: "sale@example.com" };
const REFUSING: SMTPServerOptions = {
  authOptional: false,
  allowInsecureAuth: true,
  onAuth: (_auth, _session, callback) => callback(new Error("no")),
};
const mail = { to: "name@example.com", subject: "Hello „ü“", text: "One\nTwo ü", html: "<p>One</p>" };

async function smtp(options: SMTPServerOptions = {}, credentials = "") {
  const sink = await startSmtpSink(options);
  onTestFinished(() => sink.stop());
  const log = captureLog();
  const url = `smtp://${credentials}127.0.0.1:${sink.port}`;
  const mailer = await openSmtpMailer({ url, from, logger: log.logger });
  onTestFinished(() => mailer.close());
  return { sink, mailer, log, url };
}

it("a mail arrives as text and HTML, marked so that no automatic reply answers it", async () => {
  const { sink, mailer } = await smtp();
  await mailer.send(mail);
  expect(sink.mails).toMatchObject([
    {
      sender: from.address,
      recipients: [mail.to],
      message: {
        from,
        to: [{ address: mail.to }],
        subject: mail.subject,
        text: `${mail.text}\n`,
        html: "<p>One</p>\n",
      },
    },
  ]);
  const headers = sink.mails[0]?.message.headers ?? [];
  expect(headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
});

it("a mail that can be ended names where, in two headers (RFC 8058)", async () => {
  const { sink, mailer } = await smtp();
  const unsubscribeUrl = `https://auth.example/account/alerts/stop?token=${"t".repeat(43)}`;
  await mailer.send({ ...mail, unsubscribeUrl });
  await mailer.send(mail);
  const [asked, other] = sink.mails.map(({ message }) =>
    message.headers.flatMap(({ key, value }) => (key.startsWith("list-unsubscribe") ? [[key, value]] : [])),
  );
  expect(Object.fromEntries(asked ?? [])).toEqual({
    "list-unsubscribe": `<${unsubscribeUrl}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect(other).toEqual([]);
});

it("a subject can't add headers, and an address can't add recipients", async () => {
  const { sink, mailer } = await smtp();
  await mailer.send({ ...mail, subject: "Hi\r\nBcc: other@example.com\r\n\r\nBody" });
  const [taken] = sink.mails;
  expect(taken?.recipients).toEqual([mail.to]);
  expect(taken?.raw).not.toMatch(/^bcc:/im);
  expect(taken?.message.headers.map(({ key }) => key)).not.toContain("bcc");
});

it("a mail is a client span of its trace, without addresses and content, which fails as the mail was refused", async () => {
  const spans = recordSpans();
  onTestFinished(() => setTracer(undefined));
  const taking = await smtp();
  await taking.mailer.send(mail);
  expect(spans).toEqual([]);
  const sent = (mailer: typeof taking.mailer) => traceRoot("root", {}, () => mailer.send(mail));
  await sent(taking.mailer);
  const attributes = {
    "network.protocol.name": "smtp",
    "server.address": "127.0.0.1",
    "server.port": taking.sink.port,
  };
  expect(spans[1]).toEqual({ name: "send mail", kind: "client", attributes });
  const refusing = await smtp({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error("no such user"), { responseCode: 550 })),
  });
  await expect(sent(refusing.mailer)).rejects.toThrow("try again later");
  const gone = await openSmtpMailer({ url: `smtp://127.0.0.1:${await freePort()}`, from, logger: refusing.log.logger });
  onTestFinished(() => gone.close());
  await expect(sent(gone)).rejects.toThrow("try again later");
  const failures = spans.filter(({ name }) => name === "send mail").map(({ failure }) => failure);
  expect(failures).toEqual([undefined, "550", "ESOCKET"]);
  expect(JSON.stringify(spans)).not.toMatch(/@|Hello|no such user/);
});

it("many mails share a few connections, which stay open", async () => {
  const { sink, mailer } = await smtp();
  await Promise.all(Array.from({ length: 40 }, () => mailer.send(mail)));
  await mailer.send(mail);
  expect(sink.mails).toHaveLength(41);
  expect(sink.mostConnections()).toBeLessThanOrEqual(4);
});

it("logs in with the credentials of the URL", async () => {
  const seen: unknown[] = [];
  const onAuth: NonNullable<SMTPServerOptions["onAuth"]> = ({ username, password }, _session, callback) => {
    seen.push([username, password]);
    callback(password === "p@ss" ? null : new Error("no"), { user: "sale" });
  };
  const options = { authOptional: false, allowInsecureAuth: true, onAuth };
  const { sink, mailer } = await smtp(options, "sale:p%40ss@");
  await mailer.send(mail);
  expect([seen, sink.mails.length]).toEqual([[["sale", "p@ss"]], 1]);
  const wrong = await smtp(options, "sale:other@");
  await expect(wrong.mailer.send(mail)).rejects.toMatchObject({ code: "unavailable" });
});

it("no mail goes to a server whose certificate can't be verified", async () => {
  const sink = await startSmtpSink({ secure: true });
  onTestFinished(() => sink.stop());
  const starttls = await smtp({ hideSTARTTLS: false });
  const { logger } = captureLog();
  const tls = await openSmtpMailer({ url: `smtps://127.0.0.1:${sink.port}`, from, logger });
  onTestFinished(() => tls.close());
  await expect(tls.send(mail)).rejects.toMatchObject({ code: "unavailable" });
  await expect(starttls.mailer.send(mail)).rejects.toMatchObject({ code: "unavailable" });
  expect([sink.mails, starttls.sink.mails]).toEqual([[], []]);
});

it("a refused recipient is unavailable, and neither error nor log contains an address", async () => {
  const onRcptTo: NonNullable<SMTPServerOptions["onRcptTo"]> = ({ address }, _session, callback) =>
    callback(Object.assign(new Error(`no mailbox ${address} here`), { responseCode: 550 }));
  const { mailer, log } = await smtp({ onRcptTo });
  const error = await mailer.send(mail).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "unavailable", message: "the mail could not be sent, try again later" });
  expect(log.lines).toMatchObject([{ level: "warn", smtp_reply: 550 }]);
  expect(JSON.stringify([log.lines, error])).not.toContain("@");
});

const listening = async (onConnection: (socket: Socket) => void, port = 0): Promise<number> => {
  const server = createServer((socket) => {
    // A client that gives up resets its connection.
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};
const sinkPort = async (options: SMTPServerOptions): Promise<number> => {
  const sink = await startSmtpSink(options);
  onTestFinished(() => sink.stop());
  return sink.port;
};
/** Not one of this machine's addresses by its text, so that a password needs TLS. */
const ANYWHERE = "0.0.0.0";

it.each<[string, () => Promise<string>, RegExp]>([
  [
    "a server without STARTTLS, and a password",
    async () => `smtp://user:secret@${ANYWHERE}:${await sinkPort({ disabledCommands: ["STARTTLS"] })}`,
    /takes no STARTTLS, without which the password in SMTP_URL isn't sent/,
  ],
  [
    "a server of before STARTTLS",
    async () => `smtp://user:secret@${ANYWHERE}:${await listening(onlyHelo)}`,
    /takes no STARTTLS/,
  ],
  [
    "STARTTLS with a certificate of its own",
    async () => `smtp://user:secret@${ANYWHERE}:${await sinkPort({})}`,
    /certificate of the mail server/,
  ],
  [
    "TLS with one",
    async () => `smtps://127.0.0.1:${await sinkPort({ secure: true })}`,
    /certificate of the mail server/,
  ],
  ["TLS where there is none", async () => `smtps://127.0.0.1:${await sinkPort({})}`, /doesn't begin with TLS/],
  [
    "a wrong password",
    async () => `smtp://user:secret@127.0.0.1:${await sinkPort(REFUSING)}`,
    /refuses user and password/,
  ],
  ["nobody", async () => `smtp://127.0.0.1:${await freePort()}`, /nothing listens at host and port of SMTP_URL/],
  [
    "a web server",
    async () => `smtp://127.0.0.1:${await listening((s) => void s.end("HTTP/1.1 400 \r\n\r\n"))}`,
    /doesn't speak SMTP/,
  ],
  ["one that hangs up", async () => `smtp://127.0.0.1:${await listening((s) => void s.end())}`, /ended the connection/],
  [
    "one that is busy",
    async () => `smtp://127.0.0.1:${await listening((s) => void s.end("421 busy\r\n"))}`,
    /refuses this client/,
  ],
  [
    "a refused sender",
    async () => `smtp://127.0.0.1:${await sinkPort({ onMailFrom: (_, __, done) => done(new Error("no")) })}`,
    /refuses the sender: check MAIL_FROM/,
  ],
])("the log says in words why no mail is sent: %s", async (_, url, reason) => {
  const log = captureLog();
  const mailer = await openSmtpMailer({ url: await url(), from, logger: log.logger, timeoutMs: POLL_TIMEOUT_MS });
  onTestFinished(() => mailer.close());
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: "unavailable" });
  expect(log.lines).toMatchObject([{ msg: "a mail could not be sent", reason: expect.stringMatching(reason) }]);
  expect(JSON.stringify(log.lines)).not.toMatch(/secret|@/);
});

function onlyHelo(socket: Socket): void {
  socket.write("220 old\r\n");
  socket.on("data", () => void socket.write("502 no such command\r\n"));
}

it("sending ends within the time limit if the server never answers", async () => {
  const log = captureLog();
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const mailer = await openSmtpMailer({ url, from, logger: log.logger, timeoutMs: 50 });
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: "unavailable" });
  expect(log.lines).toMatchObject([{ reason: "the mail server of SMTP_URL didn't take the mail in time" }]);
  await mailer.close();
});

it("a sign-in works by a mail, and a mail that no server accepted isn't counted", async () => {
  const { sink, url, mailer } = await smtp();
  const { accounts } = await accountClient({ mailer });
  const browserToken = newBrowserToken();
  const begin = (email: string) => accounts.beginSignIn({ email, browserToken, peer: PEER });
  const { signInHandle } = await begin("Name@Example.com");
  const { message, recipients } = sink.mails[0] ?? {};
  expect(recipients).toEqual(["name@example.com"]);
  const code = codeIn(message?.text ?? "");
  expect(message?.html).toContain(code);
  expect(message?.subject).toBe(`${code} is your sign-in code`);
  expect((message?.text ?? "") + message?.html).not.toContain("://");
  expect(await accounts.completeSignIn({ signInHandle, browserToken, code })).toMatchObject({
    result: CodeResult.CORRECT,
  });

  await mailer.close();
  await sink.stop();
  const broken = await accountClient({ mailer: await openSmtpMailer({ url, from, logger: captureLog().logger }) });
  for (let count = 0; count < 7; count += 1) {
    const call = broken.accounts.beginSignIn({ email: "name@example.com", browserToken });
    expect(await failureOf(call)).toMatchObject({ code: "unavailable" });
  }
});
