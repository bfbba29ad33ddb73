import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createAuthMetrics } from "../base/auth-metrics.ts";
import { countedMailer } from "./counted-mailer.ts";

const MAIL = { to: "someone@example.com", subject: "Hello", text: "Hello", html: "<p>Hello" };

it("counts mails that wait, those that were sent and those that failed", async () => {
  const registry = new Registry();
  const sends: PromiseWithResolvers<void>[] = [];
  const send = () => {
    const sending = Promise.withResolvers<void>();
    sends.push(sending);
    return sending.promise;
  };
  const mailer = countedMailer({ send }, createAuthMetrics(registry));
  const counts = async () =>
    (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark_auth_mails_"));
  const both = Promise.allSettled([mailer.send(MAIL), mailer.send(MAIL)]);
  expect(await counts()).toContain("tidemark_auth_mails_waiting 2");
  sends[0]?.resolve();
  sends[1]?.reject(new Error("refused"));
  expect((await both).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await counts()).toEqual([
    'tidemark_auth_mails_total{result="sent"} 1',
    'tidemark_auth_mails_total{result="failed"} 1',
    "tidemark_auth_mails_waiting 0",
  ]);
});
