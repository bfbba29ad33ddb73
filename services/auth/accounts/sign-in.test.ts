import { describe, expect, it } from "vitest";
import { CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";
import { accountClient, failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";

const EMAIL = "Name@Example.com";
const MINUTE_MS = 60_000;

/** A sign-in whose code was sent. */
async function begun(client: Awaited<ReturnType<typeof accountClient>>, email = EMAIL) {
  const browserToken = newBrowserToken();
  const { signInHandle } = await client.accounts.beginSignIn({ email, browserToken, peer: PEER });
  const code = client.outbox.lastCode();
  return {
    code,
    signInHandle,
    browserToken,
    enter: (change: { code?: string; browserToken?: string; signInHandle?: string } = {}) =>
      client.accounts.completeSignIn({ signInHandle, browserToken, code, peer: PEER, ...change }),
  };
}

const WRONG = "BBBB-BBBB";

describe("a sign-in", () => {
  it("creates an account the first time, and finds it again", async () => {
    const client = await accountClient();
    const first = await (await begun(client)).enter();
    expect(first).toMatchObject({ result: CodeResult.CORRECT, account: { email: "name@example.com" } });
    expect(first.sessionToken).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(first.session).toMatchObject({ current: true, userAgent: PEER.userAgent });
    const second = await (await begun(client, "name@EXAMPLE.com")).enter();
    expect(second.account?.uuid).toBe(first.account?.uuid);
    expect(second.sessionToken).not.toBe(first.sessionToken);
  });

  it("sends one mail to the stored address, which names the browser", async () => {
    const client = await accountClient();
    const { code } = await begun(client);
    expect(client.outbox.mails).toMatchObject([{ to: "name@example.com", subject: "Your sign-in code" }]);
    expect(client.outbox.mails[0]?.text).toContain("Firefox on Windows");
    expect(client.outbox.mails[0]?.text).toContain("auth.example");
    const rows = await client.dependencies.database.query.selectFrom("sign_in").selectAll().execute();
    expect(JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain(code);
  });

  it("accepts the code however it is typed", async () => {
    const client = await accountClient();
    const { code, enter } = await begun(client);
    expect(await enter({ code: ` ${code.toLowerCase().replace("-", " ")} ` })).toMatchObject({
      result: CodeResult.CORRECT,
    });
  });

  it("accepts a code once", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    await enter();
    expect(await enter()).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED, sessionToken: "" });
  });

  it("lets 5 wrong codes be tried, and then not even the right one", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    for (const triesLeft of [4, 3, 2, 1]) {
      expect(await enter({ code: WRONG })).toMatchObject({ result: CodeResult.WRONG, triesLeft });
    }
    expect(await enter({ code: WRONG })).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    expect(await enter()).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
  });

  it("takes the right code at the fifth try", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    for (let count = 0; count < 4; count += 1) await enter({ code: WRONG });
    expect(await enter()).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("is valid for 10 minutes", async () => {
    const client = await accountClient();
    const late = await begun(client);
    client.dependencies.time.advance(1);
    const timely = await begun(client);
    client.dependencies.time.advance(10 * MINUTE_MS - 1);
    expect(await late.enter()).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    expect(await timely.enter()).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("is valid only in the browser that began it, and other browsers don't use up its tries", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    for (let count = 0; count < 6; count += 1) {
      expect(await enter({ browserToken: newBrowserToken() })).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    }
    expect(await enter()).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("accepts no code of another sign-in", async () => {
    const client = await accountClient();
    const [mine, other] = [await begun(client, "a@example.com"), await begun(client, "b@example.com")];
    expect(await mine.enter({ code: other.code })).toMatchObject({ result: CodeResult.WRONG });
    expect(await mine.enter({ signInHandle: other.signInHandle, code: other.code })).toMatchObject({
      result: CodeResult.NEW_CODE_REQUIRED,
    });
    expect(await mine.enter({ signInHandle: "" })).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
  });

  it("leaves a code that was sent before valid", async () => {
    const client = await accountClient();
    const [before, after] = [await begun(client), await begun(client)];
    expect(await before.enter()).toMatchObject({ result: CodeResult.CORRECT });
    expect(await after.enter()).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("ends the session that the browser had", async () => {
    const client = await accountClient();
    const first = await client.signIn("a@example.com");
    const second = await client.signIn("b@example.com", first);
    expect((await failureOf(client.accounts.getSession({ sessionToken: first }))).code).toBe("unauthenticated");
    expect(await client.accounts.getSession({ sessionToken: second })).toMatchObject({
      account: { email: "b@example.com" },
    });
  });

  it("refuses an invalid address before anything is counted or sent", async () => {
    const client = await accountClient();
    const call = client.accounts.beginSignIn({
      email: "a@example.com\r\nBcc: b@example.com",
      browserToken: newBrowserToken(),
    });
    expect(await failureOf(call)).toMatchObject({
      code: "invalid_argument",
      violations: [{ field: "email", rule: "email.ascii" }],
    });
    expect(client.outbox.mails).toEqual([]);
    expect(await client.dependencies.database.query.selectFrom("mail_count").selectAll().execute()).toEqual([]);
  });
});

describe("the codes sent to an address", () => {
  it("are at most 5 an hour, with or without an account, and the error says when the next is allowed", async () => {
    for (const known of [true, false]) {
      const client = await accountClient();
      if (known) {
        await client.signIn(EMAIL);
        client.dependencies.time.advance(60 * MINUTE_MS);
      }
      for (let count = 0; count < 5; count += 1) await begun(client);
      client.dependencies.time.advance(20 * MINUTE_MS);
      expect(await failureOf(begun(client))).toMatchObject({ code: "resource_exhausted", retryAfterSeconds: 40 * 60 });
      await begun(client, "other@example.com");
      client.dependencies.time.advance(40 * MINUTE_MS);
      await begun(client);
    }
  });

  it("are at most 20 a day", async () => {
    const client = await accountClient();
    for (let hour = 0; hour < 4; hour += 1) {
      for (let count = 0; count < 5; count += 1) await begun(client);
      client.dependencies.time.advance(60 * MINUTE_MS);
    }
    expect(await failureOf(begun(client))).toMatchObject({ code: "resource_exhausted", retryAfterSeconds: 20 * 3600 });
    client.dependencies.time.advance(20 * 60 * MINUTE_MS);
    await begun(client);
  });

  it("that couldn't be sent don't count", async () => {
    const client = await accountClient();
    client.outbox.broken = true;
    for (let count = 0; count < 7; count += 1) {
      expect(await failureOf(begun(client))).toMatchObject({ code: "unavailable" });
    }
    client.outbox.broken = false;
    for (let count = 0; count < 5; count += 1) await begun(client);
    expect(await failureOf(begun(client))).toMatchObject({ code: "resource_exhausted" });
  });
});

describe("the audit table", () => {
  it("records sign-ins, refused codes and ended sessions, without e-mail addresses and codes", async () => {
    const client = await accountClient();
    const { enter, code } = await begun(client);
    await enter({ code: WRONG });
    const { account } = await enter();
    const rows = await client.dependencies.database.query.selectFrom("audit").selectAll().execute();
    expect(rows.map(({ event }) => event).toSorted()).toEqual([
      "account.created",
      "sign_in.code_refused",
      "sign_in.completed",
    ]);
    const completed = rows.find(({ event }) => event === "sign_in.completed");
    expect(uuidFromBytes(completed?.account ?? new Uint8Array())).toBe(account?.uuid);
    expect(JSON.parse(completed?.details ?? "")).toMatchObject({ address: PEER.address });
    for (const { details } of rows) {
      expect(details).not.toContain("@");
      expect(details).not.toContain(code);
    }
  });
});
