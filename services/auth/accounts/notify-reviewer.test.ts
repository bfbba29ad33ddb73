import { randomUUID } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import type { Mail } from "../base/mailer.ts";
import { accountClient } from "../testing/account-client.ts";
import { reviewerNotice } from "./notify-reviewer.ts";

const SINCE = new Date("2026-11-29T10:00:00Z");

it("mails a reviewer once for each notice, also without an account", async () => {
  const { accounts, context } = await accountClient();
  const mails: Mail[] = [];
  context.mailer.send = async (mail) => void mails.push(mail);
  const request = { noticeUuid: randomUUID(), email: "Reviewer@example.com", waiting: 3 };
  for (let time = 0; time < 2; time += 1) {
    await accounts.notifyReviewer({ ...request, waitingSince: timestampFromDate(SINCE) });
  }
  expect(mails).toMatchObject([{ to: "reviewer@example.com", subject: "Identity checks wait for you" }]);
});

it.each([
  [1, "One identity check waits for a reviewer"],
  [12, "12 identity checks wait for a reviewer"],
])("says how many wait, since when and where: %i", (waiting, words) => {
  const { text } = reviewerNotice({ waiting, since: SINCE }, "https://auth.example");
  expect(text).toContain(`${words}, the longest since 29 Nov 2026, 10:00 UTC.`);
  expect(text).toContain("https://auth.example/dashboard/reviews");
});
