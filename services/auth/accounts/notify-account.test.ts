import { randomUUID } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Mail } from "../base/mailer.ts";
import { accountClient, failureOf } from "../testing/account-client.ts";

const notice = { case: "approvalExpiry", value: { entityLabel: "Alpha", expiresAt: timestampFromMs(0) } } as const;

/** A person, and a mailer that keeps mails and may be told to fail. */
async function client() {
  const mails: Mail[] = [];
  const state = { failing: false };
  const { accounts, context, signIn, outbox } = await accountClient();
  const { account } = await accounts.getSession({ sessionToken: await signIn("a@example.com") });
  context.mailer.send = async (mail) => {
    if (state.failing) throw new ServiceError("unavailable", "the mail server is away");
    mails.push(mail);
  };
  return { accounts, outbox, state, mails, accountUuid: account?.uuid ?? "" };
}

it("mails a notice once, also when the same arrives twice at once", async () => {
  const { accounts, mails, accountUuid } = await client();
  const request = { accountUuid, noticeUuid: randomUUID(), notice };
  await Promise.all([accounts.notifyAccount(request), accounts.notifyAccount(request)]);
  await accounts.notifyAccount({ ...request, noticeUuid: request.noticeUuid.toUpperCase() });
  expect(mails).toEqual([expect.objectContaining({ to: "a@example.com", subject: "Your identity check ends soon" })]);
  await accounts.notifyAccount({ ...request, noticeUuid: randomUUID() });
  expect(mails).toHaveLength(2);
});

it("leads to the page of the entity that it is about, and to the account where none is named", async () => {
  const { accounts, mails, accountUuid } = await client();
  const entityUuid = randomUUID();
  await accounts.notifyAccount({ accountUuid, noticeUuid: randomUUID(), notice, entityUuid: entityUuid.toUpperCase() });
  await accounts.notifyAccount({ accountUuid, noticeUuid: randomUUID(), notice });
  const links = mails.map(({ text }) => /\/account\S*/.exec(text)?.[0]);
  expect(links).toEqual([`/account/entities/${entityUuid}`, "/account"]);
});

it("sends a notice later that the mail server didn't take", async () => {
  const { accounts, mails, state, accountUuid } = await client();
  const request = { accountUuid, noticeUuid: randomUUID(), notice };
  state.failing = true;
  expect(await failureOf(accounts.notifyAccount(request))).toMatchObject({ code: "unavailable" });
  state.failing = false;
  await accounts.notifyAccount(request);
  expect(mails).toHaveLength(1);
});

it("drops a notice for an account that is gone", async () => {
  const { accounts, mails } = await client();
  await accounts.notifyAccount({ accountUuid: randomUUID(), noticeUuid: randomUUID(), notice });
  expect(mails).toEqual([]);
});

it("returns the addresses of the accounts that exist", async () => {
  const { accounts, accountUuid } = await client();
  const found = await accounts.getAccounts({ accountUuids: [randomUUID(), accountUuid.toUpperCase()] });
  expect(found.accounts).toEqual([expect.objectContaining({ uuid: accountUuid, email: "a@example.com" })]);
});
