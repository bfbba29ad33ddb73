import { expect, it, onTestFinished } from "vitest";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { mailProbe } from "../../../services/auth/mail/mail-probe.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { startSmtpSink } from "../../support/processes/smtp-sink.ts";

const check = (smtpUrl: string) => runProbes([mailProbe(() => ({ smtpUrl }))]);

it("logs in to the mail server, sends nothing, and names what is wrong without the password", async () => {
  const sink = await startSmtpSink({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, callback) =>
      password === "right" ? callback(null, { user: "user" }) : callback(new Error("no")),
  });
  onTestFinished(() => sink.stop());
  const closed = await freePort();
  const found = [
    await check(`smtp://user:right@127.0.0.1:${sink.port}`),
    await check(`smtp://user:wrong-password@127.0.0.1:${sink.port}`),
    await check(`smtp://127.0.0.1:${sink.port}`),
    await check(`smtp://127.0.0.1:${closed}`),
  ].flat();
  expect(found).toEqual([
    { subject: "mail", level: "ok", text: "the mail server of SMTP_URL answers and takes the account" },
    { subject: "mail", level: "failed", text: "the mail server refuses user and password of SMTP_URL" },
    {
      subject: "mail",
      level: "ok",
      text: "the mail server of SMTP_URL answers; SMTP_URL has no account, so none was tried",
    },
    { subject: "mail", level: "failed", text: "nothing listens at host and port of SMTP_URL" },
  ]);
  expect(sink.mails).toEqual([]);
});
