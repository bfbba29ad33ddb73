import { timestampMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, vi } from "vitest";
import { withCallSignal } from "../../../common/platform/concurrency/call-signal.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { utcText } from "../../../common/platform/language/utc-text.ts";
import { CodeResult, type GetSignInResponse } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { accountClient, failureOf, newBrowserToken, PEER } from "../testing/account-client.ts";
import { openWatchedDatabase } from "../testing/watched-database.ts";

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
    expect(client.outbox.mails).toMatchObject([{ to: "name@example.com", subject: `${code} is your sign-in code` }]);
    expect(client.outbox.mails[0]?.text).toContain(utcText(new Date(Number(client.context.clock())), "en"));
    expect(client.outbox.mails[0]?.text).toContain("Firefox on Windows");
    expect(client.outbox.mails[0]?.text).toContain("auth.example");
    const rows = await client.context.database.query.selectFrom("sign_in").selectAll().execute();
    expect(JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain(code);
  });

  it("accepts the code however it is typed", async () => {
    const client = await accountClient();
    const { code, enter } = await begun(client);
    expect(await enter({ code: ` ${code.toLowerCase().replace("-", " ")} ` })).toMatchObject({
      result: CodeResult.CORRECT,
    });
  });

  it("accepts a code once, and for ten seconds gives the same browser the same session again", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    const first = await enter();
    client.context.time.advance(9_999);
    expect(await enter()).toMatchObject({ result: CodeResult.CORRECT, sessionToken: first.sessionToken });
    const refused = { result: CodeResult.NEW_CODE_REQUIRED, sessionToken: "" };
    for (const change of [{ code: WRONG }, { browserToken: newBrowserToken() }, { signInHandle: "x".repeat(43) }]) {
      expect(await enter(change)).toMatchObject(refused);
    }
    client.context.time.advance(1);
    expect(await enter()).toMatchObject(refused);
  });

  it("gives no session again that was ended since", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    const { sessionToken } = await enter();
    await client.accounts.signOut({ sessionToken });
    expect(await enter()).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED, sessionToken: "" });
  });

  it("begins one session by two entries at the same moment", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    const [one, other] = await Promise.all([enter(), enter()]);
    expect([one.result, other.result]).toEqual([CodeResult.CORRECT, CodeResult.CORRECT]);
    expect(other.sessionToken).toBe(one.sessionToken);
    expect(await client.context.database.query.selectFrom("session").select("session").execute()).toHaveLength(1);
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
    client.context.time.advance(1);
    const timely = await begun(client);
    client.context.time.advance(10 * MINUTE_MS - 1);
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

  it("costs no try, and no row, where the text can't be a code", async () => {
    const client = await accountClient();
    const { enter } = await begun(client);
    for (const code of ["", "1234-5678", "BCDF-GHJ", "ABCD-EFGH", "two words", "BBBB-BBBB BBBB-BBBB"]) {
      expect(await enter({ code })).toMatchObject({ result: CodeResult.NOT_A_CODE, triesLeft: 0 });
    }
    expect(await client.context.database.query.selectFrom("audit").selectAll().execute()).toEqual([]);
    expect(await enter({ code: WRONG })).toMatchObject({ result: CodeResult.WRONG, triesLeft: 4 });
    const counted = (await client.metrics.signInAttempts.get()).values;
    expect(counted.filter(({ value }) => value > 0)).toMatchObject([
      { labels: { result: "wrong" }, value: 1 },
      { labels: { result: "not_a_code" }, value: 6 },
    ]);
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
      violations: [{ field: "email", rule: "email.form" }],
    });
    expect(client.outbox.mails).toEqual([]);
    expect(await client.context.database.query.selectFrom("mail_count").selectAll().execute()).toEqual([]);
  });
});

/** A browser that asks for several codes for one address. */
async function asking(client: Awaited<ReturnType<typeof accountClient>>, email = EMAIL) {
  const browserToken = newBrowserToken();
  const ask = async (address = email) => {
    const before = client.outbox.mails.length;
    const { signInHandle } = await client.accounts.beginSignIn({ email: address, browserToken, peer: PEER });
    const isMailed = client.outbox.mails.length > before;
    return { signInHandle, code: isMailed ? client.outbox.lastCode() : undefined };
  };
  const askLater = async (waitMs = 30_000) => {
    client.context.time.advance(waitMs);
    return ask();
  };
  const enter = (signInHandle: string, code = WRONG) =>
    client.accounts.completeSignIn({ signInHandle, browserToken, code, peer: PEER });
  const state = (signInHandle: string) => client.accounts.getSignIn({ signInHandle, browserToken });
  return { ask, askLater, enter, state, browserToken };
}

describe("several codes of one browser for one address", () => {
  it("are each taken with each of their sign-ins, whichever mail comes first", async () => {
    for (const [codeOf, handleOf] of [
      [0, 1],
      [1, 0],
      [0, 0],
    ] as const) {
      const client = await accountClient();
      const { ask, askLater, enter } = await asking(client);
      const sent = [await ask(), await askLater()];
      expect(await enter(sent[handleOf]?.signInHandle ?? "", sent[codeOf]?.code)).toMatchObject({
        result: CodeResult.CORRECT,
        account: { email: "name@example.com" },
      });
      client.context.time.advance(10_000);
      // The one that is left signs nobody in again.
      for (const { signInHandle, code } of sent) {
        expect(await enter(signInHandle, code)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
      }
    }
  });

  it("have five tries together, whatever sign-in they are entered in, and a code that comes later has what is left", async () => {
    const client = await accountClient();
    const { ask, askLater, enter } = await asking(client);
    const [first, second] = [await ask(), await askLater()];
    expect(await enter(first.signInHandle)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 4 });
    expect(await enter(second.signInHandle)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 3 });
    const third = await askLater();
    expect(await enter(third.signInHandle)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 2 });
    expect(await enter(first.signInHandle)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 1 });
    expect(await enter(third.signInHandle)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    for (const { signInHandle } of [first, second, third]) {
      for (const { code } of [first, second, third]) {
        expect(await enter(signInHandle, code)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
      }
    }
  });

  it("begin anew after five tries, without a wait, and the codes before stay dead", async () => {
    const client = await accountClient();
    const { ask, enter } = await asking(client);
    const before = await ask();
    for (let count = 0; count < 5; count += 1) await enter(before.signInHandle);
    const after = await ask();
    expect(after.code).toBeDefined();
    expect(await enter(after.signInHandle, before.code)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 4 });
    expect(await enter(after.signInHandle, after.code)).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("have nothing of the tries of those before that have expired, though the browser asked in between", async () => {
    const client = await accountClient();
    const { ask, askLater, enter } = await asking(client);
    const first = await ask();
    for (let count = 0; count < 3; count += 1) await enter(first.signInHandle);
    const between = await askLater(29_999);
    expect(between.code).toBeUndefined();
    expect(await enter(between.signInHandle)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 1 });
    // The code is over, and what was begun without one isn't.
    const fresh = await askLater(10 * MINUTE_MS - 29_999);
    expect(await enter(fresh.signInHandle)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 4 });
    expect(await enter(between.signInHandle, fresh.code)).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("are all that a step reads and counts, however often the browser asks in between", async () => {
    const client = await accountClient();
    const { ask, enter } = await asking(client);
    const sent = await ask();
    const without = [await ask(), await ask(), await ask()];
    for (const { signInHandle } of [sent, ...without]) await enter(signInHandle);
    const rows = await client.context.database.query.selectFrom("sign_in").select(["without_code", "tries"]).execute();
    const tries = rows.map((row) => `${row.without_code === null ? "a code" : "none"}: ${row.tries}`);
    expect(tries.toSorted()).toEqual(["a code: 4", "none: 0", "none: 0", "none: 0"]);
  });

  it("expire each on its own", async () => {
    const client = await accountClient();
    const { ask, askLater, enter } = await asking(client);
    const [first, second] = [await ask(), await askLater(9 * MINUTE_MS)];
    client.context.time.advance(MINUTE_MS);
    expect(await enter(second.signInHandle, first.code)).toMatchObject({ result: CodeResult.WRONG });
    expect(await enter(first.signInHandle, second.code)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    expect(await enter(second.signInHandle, second.code)).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("aren't those of another address, or of a change of the address", async () => {
    const client = await accountClient();
    const { ask, enter, browserToken } = await asking(client);
    const [mine, other] = [await ask(), await ask("other@example.com")];
    expect(await enter(mine.signInHandle, other.code)).toMatchObject({ result: CodeResult.WRONG, triesLeft: 4 });
    const sessionToken = await client.signIn("c@example.com");
    await client.accounts.beginEmailChange({ sessionToken, email: EMAIL, browserToken, peer: PEER });
    expect(await enter(mine.signInHandle, client.outbox.lastCode())).toMatchObject({ triesLeft: 3 });
    expect(await enter(other.signInHandle, other.code)).toMatchObject({ result: CodeResult.CORRECT });
    expect(await enter(mine.signInHandle, mine.code)).toMatchObject({ result: CodeResult.CORRECT });
  });
});

describe("the next code", () => {
  const stateOf = ({ email, askedAt, nextSendAt, sendsLeft, triesLeft }: GetSignInResponse) => ({
    email,
    asked: askedAt && Number(timestampMs(askedAt)),
    next: nextSendAt && Number(timestampMs(nextSendAt)),
    sendsLeft,
    triesLeft,
  });

  it("isn't sent within 30 seconds: the one before completes the sign-in that was begun meanwhile", async () => {
    const client = await accountClient();
    const { ask, enter, state } = await asking(client);
    const first = await ask();
    const startMs = Number(client.context.clock());
    client.context.time.advance(29_999);
    const second = await ask();
    expect(second.code).toBeUndefined();
    const told = { email: "name@example.com", asked: startMs, next: startMs + 30_000, sendsLeft: 4, triesLeft: 5 };
    expect(stateOf(await state(second.signInHandle))).toEqual(told);
    client.context.time.advance(1);
    const third = await ask();
    expect(third.code).toBeDefined();
    expect(stateOf(await state(first.signInHandle))).toMatchObject({ asked: startMs + 30_000, sendsLeft: 3 });
    expect(await enter(second.signInHandle, first.code)).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("doesn't hold up an entry of the one before while its mail is under way", async () => {
    const client = await accountClient();
    const { ask, enter } = await asking(client);
    const { code = "", signInHandle } = await ask();
    client.context.time.advance(30_000);
    const [asked, mailed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(client.outbox, "send").mockImplementationOnce(() => {
      asked.resolve();
      return mailed.promise;
    });
    const next = ask();
    await asked.promise;
    const entered = await enter(signInHandle, code);
    mailed.resolve();
    await next;
    expect(entered).toMatchObject({ result: CodeResult.CORRECT });
  });

  it("isn't sent after five until the next hour, and the answer says so", async () => {
    const client = await accountClient();
    const { ask, askLater, enter, state } = await asking(client);
    await ask();
    for (let count = 1; count < 5; count += 1) expect((await askLater()).code).toBeDefined();
    const sixth = await askLater();
    expect(sixth.code).toBeUndefined();
    const nextHourMs = Date.UTC(2026, 0, 31, 13);
    expect(stateOf(await state(sixth.signInHandle))).toMatchObject({ next: nextHourMs, sendsLeft: 0, triesLeft: 5 });
    // With no code left that could be tried it is over.
    client.context.time.advance(10 * MINUTE_MS);
    expect(stateOf(await state(sixth.signInHandle))).toMatchObject({ next: nextHourMs, sendsLeft: 0, triesLeft: 0 });
    const seventh = await ask();
    expect(await enter(seventh.signInHandle)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
    expect(client.context.time.advanceToNextHour()).toBe(nextHourMs);
    expect((await ask()).code).toBeDefined();
  });

  it("is the same for what was sent, and for what wasn't because strangers had asked for too many", async () => {
    const client = await accountClient();
    const one = await asking(client);
    for (let count = 0; count < 5; count += 1) await (await asking(client)).ask();
    const [withheld, other] = [await one.ask(), await (await asking(client, "other@example.com")).ask()];
    expect([withheld.code, other.code === undefined]).toEqual([undefined, false]);
    const startMs = Number(client.context.clock());
    expect(stateOf(await one.state(withheld.signInHandle))).toEqual({
      email: "name@example.com",
      asked: startMs,
      next: startMs + 30_000,
      sendsLeft: 4,
      triesLeft: 5,
    });
  });

  it("needs no wait after a mail that couldn't be sent", async () => {
    const client = await accountClient();
    const { ask } = await asking(client);
    client.outbox.broken = true;
    expect(await failureOf(ask())).toMatchObject({ code: "unavailable" });
    client.outbox.broken = false;
    expect((await ask()).code).toBeDefined();
    expect(await client.context.database.query.selectFrom("sign_in").selectAll().execute()).toHaveLength(1);
  });

  it("needs no wait after a process that ended once it had asked for a mail: nothing is stored before the mail left", async () => {
    const client = await accountClient();
    const { ask } = await asking(client);
    const { outbox } = client;
    const { query } = client.context.database;
    const storedAtMail: number[] = [];
    const send = vi.spyOn(outbox, "send");
    send.mockImplementationOnce(async () => {
      storedAtMail.push((await query.selectFrom("sign_in").selectAll().execute()).length);
      throw new ServiceError("unavailable", "the process ends here");
    });
    expect(await failureOf(ask())).toMatchObject({ code: "unavailable" });
    expect(storedAtMail).toEqual([0]);
    expect((await ask()).code).toBeDefined();
  });

  it.each(["sent", "withheld"])("is stored for a mail that was %s though its call ended meanwhile", async (fate) => {
    const client = await accountClient();
    const others = fate === "withheld" ? 5 : 0;
    for (let count = 0; count < others; count += 1) await (await asking(client)).ask();
    const { ask } = await asking(client);
    const call = new AbortController();
    const { sendPace } = client.context;
    const endsCall = async (work: () => Promise<void>) => {
      await work();
      call.abort(new ServiceError("deadline_exceeded", "the mail took too long"));
    };
    const { send, imitate } = sendPace;
    vi.spyOn(sendPace, "send").mockImplementation((work) => endsCall(() => send.call(sendPace, work)));
    vi.spyOn(sendPace, "imitate").mockImplementation(() => endsCall(() => imitate.call(sendPace)));
    await withCallSignal(call.signal, ask).catch(() => {});
    expect(call.signal.aborted).toBe(true);
    const stored = await client.context.database.query.selectFrom("sign_in").selectAll().execute();
    expect(stored).toHaveLength(others + 1);
  });

  it("counts no mail that couldn't be sent though its call ended meanwhile", async () => {
    const client = await accountClient();
    const call = new AbortController();
    vi.spyOn(client.outbox, "send").mockImplementationOnce(async () => {
      call.abort(new ServiceError("deadline_exceeded", "the mail took too long"));
      throw new ServiceError("unavailable", "the mail server doesn't answer");
    });
    const { ask } = await asking(client);
    await withCallSignal(call.signal, ask).catch(() => {});
    const counts = await client.context.database.query.selectFrom("mail_count").select("sends").execute();
    expect(counts.map(({ sends }) => Number(sends))).toEqual([0]);
  });

  it("is told to the browser that began the sign-in, and a change of an address to its session, to nobody else", async () => {
    const client = await accountClient();
    const { ask, state, browserToken } = await asking(client);
    const { signInHandle } = await ask();
    const sessionToken = await client.signIn("c@example.com");
    const change = { sessionToken, email: "d@example.com", browserToken, peer: PEER };
    const { signInHandle: ofChange } = await client.accounts.beginEmailChange(change);
    const get = (call: { signInHandle: string; browserToken: string; sessionToken?: string }) =>
      client.accounts.getSignIn(call);
    expect(await get({ signInHandle: ofChange, browserToken, sessionToken })).toMatchObject({ email: "d@example.com" });
    const others = [
      { signInHandle, browserToken: newBrowserToken() },
      { signInHandle, browserToken, sessionToken },
      { signInHandle: "unknown", browserToken },
      { signInHandle: ofChange, browserToken },
      { signInHandle: ofChange, browserToken, sessionToken: await client.signIn("e@example.com") },
    ];
    for (const call of others) expect(await get(call)).toMatchObject({ email: "", triesLeft: 0, sendsLeft: 5 });
    expect(await state(signInHandle)).toMatchObject({ email: "name@example.com" });
  });
});

/** A browser that asks for a code; by default a stranger's. */
interface Asker {
  readonly email?: string;
  readonly address?: string;
  readonly knownBrowser?: string;
}

type AccountClient = Awaited<ReturnType<typeof accountClient>>;

const STRANGERS = "198.51.100.9";

/** Asks for a code. @returns the answer, and whether a mail was sent */
async function ask(client: AccountClient, { email = EMAIL, address = STRANGERS, knownBrowser = "" }: Asker = {}) {
  const before = client.outbox.mails.length;
  const browserToken = newBrowserToken();
  const peer = { ...PEER, address };
  const answer = await client.accounts.beginSignIn({ email, browserToken, knownBrowser, peer });
  return { answer, browserToken, isMailed: client.outbox.mails.length > before };
}

/** Asks a number of times. @returns the number of mails */
async function mailsOf(client: AccountClient, times: number, asker: Asker = {}): Promise<number> {
  let mails = 0;
  for (let count = 0; count < times; count += 1) mails += (await ask(client, asker)).isMailed ? 1 : 0;
  return mails;
}

/** Signs in from `PEER`. @returns what the browser is known by */
async function becomeKnown(client: AccountClient, email = EMAIL): Promise<string> {
  const { knownBrowser } = await (await begun(client, email)).enter();
  client.context.time.advance(60 * MINUTE_MS);
  return knownBrowser;
}

describe("the codes sent to an address", () => {
  it("are at most 5 an hour for all strangers together, with or without an account", async () => {
    for (const hasAccount of [true, false]) {
      const client = await accountClient();
      if (hasAccount) await becomeKnown(client);
      expect(await mailsOf(client, 4)).toBe(4);
      expect(await mailsOf(client, 3, { address: "203.0.113.5" })).toBe(1);
      expect(await mailsOf(client, 1, { email: "other@example.com" })).toBe(1);
      client.context.time.advance(60 * MINUTE_MS);
      expect(await mailsOf(client, 7)).toBe(5);
    }
  });

  it("are at most 20 a day for strangers", async () => {
    const client = await accountClient();
    for (let hour = 0; hour < 4; hour += 1) {
      expect(await mailsOf(client, 5)).toBe(5);
      client.context.time.advance(60 * MINUTE_MS);
    }
    expect(await mailsOf(client, 2)).toBe(0);
    client.context.time.advance(20 * 60 * MINUTE_MS);
    expect(await mailsOf(client, 2)).toBe(2);
  });

  it("still reach a browser that has signed in before, from any network, when strangers have used theirs up", async () => {
    const client = await accountClient();
    const knownBrowser = await becomeKnown(client);
    await mailsOf(client, 9);
    expect(await mailsOf(client, 1)).toBe(0);
    expect(await mailsOf(client, 9, { knownBrowser, address: "203.0.113.5" })).toBe(5);
  });

  it("still reach a network from which somebody has signed in, when strangers have used theirs up", async () => {
    const client = await accountClient();
    await becomeKnown(client);
    await mailsOf(client, 9);
    expect(await mailsOf(client, 9, { address: PEER.address })).toBe(5);
    expect(await mailsOf(client, 1, { address: "192.0.2.8" })).toBe(0);
  });

  it("don't reach a browser or a network that has signed in to another address", async () => {
    const client = await accountClient();
    const knownBrowser = await becomeKnown(client, "other@example.com");
    await mailsOf(client, 5);
    expect(await mailsOf(client, 1, { knownBrowser, address: PEER.address })).toBe(0);
  });

  it("have a ceiling over all allowances: 15 an hour and 60 a day", async () => {
    const client = await accountClient();
    const asker = { knownBrowser: await becomeKnown(client), address: PEER.address };
    client.context.time.advance(24 * 60 * MINUTE_MS);
    const mails: number[] = [];
    for (let hour = 0; hour < 5; hour += 1) {
      mails.push((await mailsOf(client, 12, asker)) + (await mailsOf(client, 6)));
      client.context.time.advance(60 * MINUTE_MS);
    }
    expect(mails).toEqual([15, 15, 15, 15, 0]);
  });

  it("know a browser and a network for 90 days after the last sign-in", async () => {
    const client = await accountClient();
    const knownBrowser = await becomeKnown(client);
    client.context.time.advance(90 * 24 * 60 * MINUTE_MS - 61 * MINUTE_MS);
    await mailsOf(client, 5);
    expect(await mailsOf(client, 2, { address: PEER.address })).toBe(2);
    expect(await mailsOf(client, 2, { knownBrowser })).toBe(2);
    client.context.time.advance(61 * MINUTE_MS);
    await mailsOf(client, 5);
    expect(await mailsOf(client, 1, { address: PEER.address, knownBrowser })).toBe(0);
  });

  it("that couldn't be sent don't count", async () => {
    const client = await accountClient();
    client.outbox.broken = true;
    for (let count = 0; count < 7; count += 1) {
      expect(await failureOf(ask(client))).toMatchObject({ code: "unavailable" });
    }
    client.outbox.broken = false;
    expect(await mailsOf(client, 6)).toBe(5);
  });

  it("forget the networks of an address that its account has left", async () => {
    const client = await accountClient();
    const sessionToken = await client.signIn("old@example.com");
    const browserToken = newBrowserToken();
    const email = "new@example.com";
    const { signInHandle } = await client.accounts.beginEmailChange({ sessionToken, email, browserToken, peer: PEER });
    const entry = { sessionToken, signInHandle, browserToken, code: client.outbox.lastCode(), peer: PEER };
    const { knownBrowser } = await client.accounts.completeEmailChange(entry);
    client.context.time.advance(60 * MINUTE_MS);
    for (const address of ["old@example.com", email]) await mailsOf(client, 5, { email: address });
    expect(await mailsOf(client, 1, { email: "old@example.com", address: PEER.address, knownBrowser })).toBe(0);
    expect(await mailsOf(client, 1, { email, address: PEER.address })).toBe(1);
    expect(await mailsOf(client, 1, { email, knownBrowser })).toBe(1);
  });
});

describe("a request for a code", () => {
  /** Requests under each allowance, and under none. */
  async function eachKind() {
    const imitate = vi.fn(async () => {});
    const database = await openWatchedDatabase();
    const client = await accountClient({ database, sendPace: { send: (work) => work(), imitate } });
    const knownBrowser = await becomeKnown(client);
    const askers: readonly Asker[] = [
      { knownBrowser },
      { address: PEER.address },
      {},
      ...new Array(4).fill({}),
      {},
      { email: "nobody@example.com" },
    ];
    const kinds: { statements: number; asked: Awaited<ReturnType<typeof ask>> }[] = [];
    for (const asker of askers) {
      const before = database.statements;
      const asked = await ask(client, asker);
      kinds.push({ statements: database.statements - before, asked });
    }
    return { client, imitate, kinds };
  }

  it("is answered the same, with the same statements, under each allowance and under none", async () => {
    const { client, kinds, imitate } = await eachKind();
    expect(kinds.map(({ asked }) => asked.isMailed)).toEqual([...new Array(7).fill(true), false, true]);
    const [first] = kinds;
    for (const { asked, statements } of kinds) {
      expect(asked.answer).toEqual({ ...first?.asked.answer, signInHandle: asked.answer.signInHandle });
      expect(asked.answer.signInHandle).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(statements).toBe(first?.statements);
    }
    expect(imitate).toHaveBeenCalledTimes(1);
    expect((await client.metrics.codesWithheld.get()).values).toMatchObject([{ value: 1 }]);
  });

  it("begins a sign-in, without a mail too, that takes five codes and none is right", async () => {
    const { client, kinds } = await eachKind();
    const { answer, browserToken } = kinds.at(-2)?.asked ?? {};
    const enter = (code: string) =>
      client.accounts.completeSignIn({
        signInHandle: answer?.signInHandle ?? "",
        browserToken: browserToken ?? "",
        code,
      });
    for (const triesLeft of [4, 3, 2, 1]) {
      expect(await enter(client.outbox.lastCode())).toMatchObject({ result: CodeResult.WRONG, triesLeft });
    }
    expect(await enter(WRONG)).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
  });
});

describe("the audit table", () => {
  it("records sign-ins, refused codes and ended sessions, without e-mail addresses and codes", async () => {
    const client = await accountClient();
    const { enter, code } = await begun(client);
    await enter({ code: WRONG });
    const { account } = await enter();
    const rows = await client.context.database.query.selectFrom("audit").selectAll().execute();
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
