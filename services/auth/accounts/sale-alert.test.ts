import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { SaleAlert, SaleAlertNoticeSchema } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { Mail } from "../base/mailer.ts";
import { accountClient, failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";
import { saleAlertMail } from "./sale-alert.ts";

const MAIL_LIMIT_MS = 2 * 60_000;
const TOKEN = "t".repeat(43);
const STOP = `https://auth.example/account/alerts/stop?token=${TOKEN}`;

const mail = (alert: SaleAlert, given: { saleName?: string; language?: string } = {}) => {
  const closesAt = timestampFromMs(Date.parse("2026-02-14T10:00:00Z"));
  const notice = { alert, saleName: "Harbour", closesAt, stopToken: TOKEN, ...given };
  return saleAlertMail(create(SaleAlertNoticeSchema, notice), "https://auth.example");
};

describe("the mail about a sale", () => {
  it.each([
    [SaleAlert.OUT, "A bid of yours is out", "“Harbour” is too low now"],
    [SaleAlert.AT_MARGIN, "A bid of yours is at the margin", "“Harbour” is at the clearing price"],
    [SaleAlert.CLOSES_IN_DAY, "A sale closes in 24 hours", "14 Feb 2026, 10:00 UTC, says its founder"],
    [SaleAlert.CLOSES_IN_HOUR, "A sale closes in an hour", "14 Feb 2026, 10:00 UTC, says its founder"],
    [SaleAlert.SETTLED, "A sale is settled", "“Harbour” is settled"],
  ])("says what it is about: %s", (alert, subject, text) => {
    const { text: written, html, ...rest } = mail(alert);
    expect(rest).toEqual({ subject, unsubscribeUrl: STOP });
    for (const part of [text, "https://auth.example/account\n", STOP]) expect(written).toContain(part);
    expect(html).toContain(`<a href="${STOP}">`);
  });

  it("is in the language in which the person asked, and in English for one that isn't known", () => {
    expect(mail(SaleAlert.SETTLED, { language: "de" }).subject).toBe("Ein Verkauf ist abgerechnet");
    expect(mail(SaleAlert.SETTLED, { language: "xx" }).subject).toBe("A sale is settled");
  });

  it("shows the name of a sale without links or mark-up", () => {
    const evil = "Log in” at https://evil.example/\r\nBcc: x@evil.example <b>";
    const { subject, text, html } = mail(SaleAlert.OUT, { saleName: evil });
    expect(subject).not.toContain("evil");
    expect(text).not.toMatch(/:\/\/evil|@evil|\nBcc/);
    expect(html).not.toContain("<b>");
  });

  /** A person, and the mails that auth has sent. */
  async function recipient() {
    const mails: Mail[] = [];
    const { accounts, context, signIn } = await accountClient();
    const { account } = await accounts.getSession({ sessionToken: await signIn("a@example.com") });
    context.mailer.send = async (sent) => void mails.push(sent);
    const value = { alert: SaleAlert.OUT, saleName: "Harbour", stopToken: TOKEN, language: "de" };
    const noticeUuid = randomUUID();
    const request = { accountUuid: account?.uuid ?? "", noticeUuid, notice: { case: "saleAlert", value } as const };
    const notify = (uuid = noticeUuid) => accounts.notifyAccount({ ...request, noticeUuid: uuid });
    return { notify, accounts, context, mails, time: context.time };
  }

  it("goes to the account once for each notice", async () => {
    const { notify, mails, time } = await recipient();
    await notify();
    time.advance(MAIL_LIMIT_MS);
    await notify();
    expect(mails).toMatchObject([{ to: "a@example.com", subject: "Ein Gebot von Ihnen ist nicht erfolgreich" }]);
    expect(mails[0]?.unsubscribeUrl).toMatch(/\/account\/alerts\/stop\?token=t{43}$/);
  });

  it("isn't sent again while another process sends it, nor after one that has ended meanwhile, but where it wasn't taken", async () => {
    const { notify, context, mails, time } = await recipient();
    const server = Promise.withResolvers<void>();
    const tried: Mail[] = [];
    context.mailer.send = async (mail) => {
      tried.push(mail);
      await server.promise;
    };
    const first = failureOf(notify());
    await expect.poll(() => tried.length).toBe(1);
    expect(await failureOf(notify())).toMatchObject({ code: "unavailable" });
    time.advance(MAIL_LIMIT_MS);
    await notify();
    expect(tried).toHaveLength(1);
    server.reject(new ServiceError("unavailable", "the mail server is away"));
    expect(await first).toMatchObject({ code: "unavailable" });
    context.mailer.send = async (mail) => void mails.push(mail);
    await notify();
    expect(mails).toHaveLength(1);
  });

  it("leaves a connection to the mail server for codes, however many are sent at once", async () => {
    const { notify, accounts, context, mails } = await recipient();
    const server = Promise.withResolvers<void>();
    context.mailer.send = async (mail) => {
      mails.push(mail);
      if (mail.unsubscribeUrl !== undefined) await server.promise;
    };
    const sent = Array.from({ length: 10 }, () => notify(randomUUID()));
    await expect.poll(() => mails.length).toBe(3);
    await accounts.beginSignIn({ email: "b@example.com", browserToken: newBrowserToken(), peer: PEER });
    expect(mails.map(({ to }) => to)).toEqual([...Array<string>(3).fill("a@example.com"), "b@example.com"]);
    server.resolve();
    await Promise.all(sent);
    expect(mails).toHaveLength(11);
  });
});
