import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import { CodeResult } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { opaqueTokenHash } from "../../../services/auth/base/opaque-token.ts";
import { RATE_LIMITS } from "../../../services/auth/base/rate-limit.ts";
import { RateLimits } from "../../../services/auth/base/rate-limits.ts";
import { storeMember } from "../../../services/auth/memberships/members-store.ts";
import { insertSaleAccess } from "../../../services/auth/memberships/sale-access-store.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import { type AuthFixture, describeAuth } from "../../support/processes/auth-fixture.ts";

const PARALLEL = 20;
const WRONG = "BBBB-BBBB";
/** The time from one code of a browser to the next. */
const PAUSE_MS = 30_000;

const newBrowserToken = () => randomBytes(32).toString("base64url");

/** A sign-in whose code was sent to a new address. */
async function begun(service: AuthFixture, email = `${randomBytes(8).toString("hex")}@example.com`) {
  const { accounts } = service.as("gateway");
  const browserToken = randomBytes(32).toString("base64url");
  service.time.advance(1);
  const { signInHandle } = await accounts.beginSignIn({ email, browserToken });
  const code = codeIn((await service.mails()).findLast((mail) => mail.includes(`\nTo: ${email}\n`)) ?? "");
  return {
    email,
    signInHandle,
    enter: (entered = code) => accounts.completeSignIn({ signInHandle, browserToken, code: entered }),
  };
}

async function resultsOf(calls: readonly Promise<{ readonly result: CodeResult }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { result } of await Promise.all(calls)) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

const times = <Result>(count: number, work: () => Result) => Array.from({ length: count }, work);

describeAuth("a sign-in", (service) => {
  it("allows 5 of any number of concurrent guesses, and then refuses even the correct code", async () => {
    const { enter, signInHandle } = await begun(service());
    expect(await resultsOf(times(PARALLEL, () => enter(WRONG)))).toEqual({
      [CodeResult.WRONG]: 4,
      [CodeResult.NEW_CODE_REQUIRED]: PARALLEL - 4,
    });
    const query = service().database.query.selectFrom("sign_in").select("tries");
    const row = await query.where("sign_in", "=", opaqueTokenHash(signInHandle)).executeTakeFirstOrThrow();
    expect(Number(row.tries)).toBe(5);
    expect(await enter()).toMatchObject({ result: CodeResult.NEW_CODE_REQUIRED });
  });

  it("starts one session, however often the correct code is entered at the same time", async () => {
    const { enter, email } = await begun(service());
    const answers = await Promise.all(times(PARALLEL, () => enter()));
    const correct = answers.filter(({ result }) => result === CodeResult.CORRECT);
    expect(correct.length).toBeGreaterThan(0);
    expect(new Set(correct.map(({ sessionToken }) => sessionToken)).size).toBe(1);
    const sessions = await service()
      .database.query.selectFrom("session")
      .innerJoin("account", "account.account", "session.account")
      .select("session")
      .where("email", "=", email)
      .execute();
    expect(sessions).toHaveLength(1);
  });

  it("creates one account for several first sign-ins at the same time", async () => {
    const first = await begun(service());
    const others = [await begun(service(), first.email), await begun(service(), first.email)];
    const answers = await Promise.all([first, ...others].map(({ enter }) => enter()));
    expect(answers.map(({ result }) => result)).toEqual([CodeResult.CORRECT, CodeResult.CORRECT, CodeResult.CORRECT]);
    expect(new Set(answers.map(({ account }) => account?.uuid)).size).toBe(1);
  });

  it("sends 5 codes to an address, however many are requested at the same time", async () => {
    const { accounts } = service().as("gateway");
    const email = `${randomBytes(8).toString("hex")}@example.com`;
    const calls = times(PARALLEL, () => accounts.beginSignIn({ email, browserToken: newBrowserToken() }));
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ signInHandle }) => signInHandle)).size).toBe(PARALLEL);
    expect((await service().mails()).filter((mail) => mail.includes(`\nTo: ${email}\n`))).toHaveLength(5);
  });

  it("sends one code to a browser that asks several times at once, and it completes each of the sign-ins", async () => {
    const { accounts } = service().as("gateway");
    const email = `${randomBytes(8).toString("hex")}@example.com`;
    const browserToken = newBrowserToken();
    const answers = await Promise.all(times(PARALLEL, () => accounts.beginSignIn({ email, browserToken })));
    const mails = (await service().mails()).filter((mail) => mail.includes(`\nTo: ${email}\n`));
    expect(mails).toHaveLength(1);
    const code = codeIn(mails[0] ?? "");
    const enter = ({ signInHandle }: { readonly signInHandle: string }) =>
      accounts.completeSignIn({ signInHandle, browserToken, code });
    expect(await resultsOf(answers.map(enter))).toEqual({
      [CodeResult.CORRECT]: 1,
      [CodeResult.NEW_CODE_REQUIRED]: PARALLEL - 1,
    });
  });

  it("allows 5 guesses for several codes of a browser together, at the same time and while another one is sent", async () => {
    const { accounts } = service().as("gateway");
    const email = `${randomBytes(8).toString("hex")}@example.com`;
    const browserToken = newBrowserToken();
    const begin = async () => (await accounts.beginSignIn({ email, browserToken })).signInHandle;
    const handles = [await begin()];
    service().time.advance(PAUSE_MS);
    handles.push(await begin());
    service().time.advance(PAUSE_MS);
    const guesses = times(PARALLEL, () => undefined).map((_, index) => {
      const signInHandle = handles[index % handles.length] ?? "";
      return accounts.completeSignIn({ signInHandle, browserToken, code: WRONG });
    });
    const [third, counts] = await Promise.all([begin(), resultsOf(guesses)]);
    expect(counts[CodeResult.WRONG]).toBeLessThan(5 + 4);
    const query = service().database.query.selectFrom("sign_in").select(["sign_in", "tries"]);
    const rows = await query.where("email", "=", email).execute();
    const tries = new Map(rows.map((row) => [Buffer.from(row.sign_in).toString("hex"), Number(row.tries)]));
    for (const handle of handles) expect(tries.get(opaqueTokenHash(handle).toString("hex"))).toBe(5);
    expect(tries.get(opaqueTokenHash(third).toString("hex"))).toBeLessThanOrEqual(5);
  });
});

describeAuth("a lockout", (service) => {
  it("by strangers reaches neither a browser nor a network that has signed in to the address", async () => {
    const { accounts } = service().as("gateway");
    const email = `${randomBytes(8).toString("hex")}@example.com`;
    const browserToken = randomBytes(32).toString("base64url");
    const home = { address: "192.0.2.7", userAgent: "" };
    const mailed = async () => (await service().mails()).filter((mail) => mail.includes(`\nTo: ${email}\n`));
    const { signInHandle } = await accounts.beginSignIn({ email, browserToken, peer: home });
    const code = codeIn((await mailed()).at(-1) ?? "");
    const { knownBrowser } = await accounts.completeSignIn({ signInHandle, browserToken, code, peer: home });
    service().time.advanceToNextHour();
    const others = times(PARALLEL, newBrowserToken);
    const askers = [{ address: "203.0.113.1" }, { address: "203.0.113.2", knownBrowser }, { address: home.address }];
    const counts: number[] = [];
    for (const { address, knownBrowser = "" } of askers) {
      const before = (await mailed()).length;
      const peer = { address, userAgent: "" };
      await Promise.all(
        others.map((other) => accounts.beginSignIn({ email, browserToken: other, knownBrowser, peer })),
      );
      service().time.advance(PAUSE_MS);
      counts.push((await mailed()).length - before);
    }
    expect(counts).toEqual([5, 5, 5]);
  });
});

describeAuth("a rate limit", (service) => {
  it("applies to several processes together", async () => {
    const { database, time } = service();
    const options = { database, clock: time.now, counterKey: randomBytes(32), enabled: true };
    const processes = [new RateLimits(options), new RateLimits(options), new RateLimits(options)];
    const { count } = RATE_LIMITS.code_address;
    const calls = processes.flatMap((limits) => times(count, () => limits.take("code_address", "2001:db8::1")));
    const passed = (await Promise.allSettled(calls)).filter(({ status }) => status === "fulfilled");
    expect(passed).toHaveLength(count);
  });
});

describeAuth("an account", (service) => {
  it("can't be deleted by both owners of a sale at the same time", async () => {
    const { database } = service();
    const owners = [await service().signIn("one@example.com"), await service().signIn("two@example.com")];
    const sale = "44444444-4444-4444-8444-444444444444";
    await database.write(async (transaction) => {
      await insertSaleAccess(transaction, sale);
      for (const { accountUuid } of owners) {
        await storeMember(transaction, database.dialect, sale, { accountUuid, role: "owner" });
      }
    });
    const { accounts } = service().as("gateway");
    const outcomes = await Promise.allSettled(
      owners.map(({ sessionToken }) => accounts.deleteAccount({ sessionToken })),
    );
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [toServiceError(outcome.reason)] : [],
    );
    expect(refused).toMatchObject([{ code: "failed_precondition" }]);
    const left = await database.query
      .selectFrom("member")
      .select("role")
      .where("sale", "=", bytesOfHex(sale))
      .execute();
    expect(left).toEqual([{ role: "owner" }]);
  });

  it("has no session after a sign-out, nor after its deletion", async () => {
    const { accounts } = service().as("gateway");
    const { sessionToken } = await service().signIn("three@example.com");
    await accounts.signOut({ sessionToken });
    const again = await service().signIn("three@example.com");
    await accounts.deleteAccount({ sessionToken: again.sessionToken });
    for (const token of [sessionToken, again.sessionToken]) {
      await expect(accounts.getSession({ sessionToken: token })).rejects.toThrow("[unauthenticated]");
    }
  });
});
