import { createHash, randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteExpiredRows } from "../../common/platform/db/expired-rows.ts";
import { AUTH_PATHS } from "../../gateway/web/sessions/auth-paths.ts";
import { findOrCreateAccount } from "../../services/auth/accounts/accounts-store.ts";
import { newOpaqueToken } from "../../services/auth/base/opaque-token.ts";
import { openStore } from "../../services/auth/base/open-store.ts";
import { RATE_LIMITS } from "../../services/auth/base/rate-limit.ts";
import type { AuthDatabase, AuthSchema } from "../../services/auth/base/schema.ts";
import { expiredRows } from "../../services/auth/expired-rows.ts";
import { startSession } from "../../services/auth/sessions/sessions-store.ts";
import { Application, newToken, seedClient, tokensIn } from "../../services/auth/testing/application.ts";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { mysqlOf } from "../support/databases/mysql-of.ts";
import type { AuthClients } from "../support/processes/auth-clients.ts";
import { type AuthDeployment, startAuthDeployment } from "../support/processes/auth-deployment.ts";
import { findProgram } from "../support/processes/program.ts";

const ATTEMPTS = 500;
const REPLAYS = 200;
const AT_ONCE = 10;
/** A window may end during an attack. */
const WINDOWS = 2;
const DAY_MS = 86_400_000n;

describe.skipIf(findProgram("mariadbd") === undefined)("a stranger (mariadbd)", () => {
  let stack: AsyncDisposableStack;
  let deployment: AuthDeployment;
  let database: AuthDatabase;
  let application: Application;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
    const url = await mariaDb.createDatabase("strangers");
    const remove = async () => {};
    deployment = stack.adopt(await startAuthDeployment({ dialect: "mysql", url, remove }), (each) => each.stop());
    database = stack.adopt(await openStore({ mysql: mysqlOf(url) }), (each) => each.close());
    application = await anApplication();
  });
  afterAll(() => stack.disposeAsync());

  const anApplication = async () => {
    const client = sampleClient({ uuid: randomUUID(), saleUuid: randomUUID() });
    await seedClient(database, client);
    return new Application(deployment.auth.as("gateway").authorization, client);
  };

  /** The rows that an attack has added, by table; those of rates aren't kept for longer than an hour. */
  const addedBy = async (attack: () => Promise<unknown>) => {
    const before = await rowCounts(database);
    await attack();
    const after = await rowCounts(database);
    const added = Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)] as const);
    return Object.fromEntries(added.filter(([table, rows]) => rows > 0 && table !== "rate_window"));
  };

  const requestOf = ({ client }: Application) =>
    new URLSearchParams({
      response_type: "code",
      client_id: client.uuid,
      redirect_uri: client.definition.redirectUris[0] ?? "",
      code_challenge: createHash("sha256").update(newToken()).digest("base64url"),
    });
  const push = (of: Application) => fetch(deployment.issuer + AUTH_PATHS.push, { method: "POST", body: requestOf(of) });
  const authorize = (of: Application) =>
    fetch(`${deployment.issuer}${AUTH_PATHS.authorize}?${requestOf(of)}`, { redirect: "manual" });

  it("pushes requests that nobody uses: few are stored, the others are refused in OAuth's words", async () => {
    const answers: Response[] = [];
    const added = await addedBy(() => repeat(ATTEMPTS, async () => void answers.push(await push(application))));
    expect(Object.keys(added)).toEqual(["pushed_request"]);
    expect(added["pushed_request"]).toBeLessThanOrEqual(WINDOWS * RATE_LIMITS.push_unauthenticated_address.count);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.length).toBe(ATTEMPTS - (added["pushed_request"] ?? 0));
    for (const answer of refused) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
    }
    expect((await push(await anApplication())).status).toBe(201);
  });

  it("begins authorizations that nobody goes on with: few are stored, and another application isn't affected", async () => {
    const answers: Response[] = [];
    const added = await addedBy(() => repeat(ATTEMPTS, async () => void answers.push(await authorize(application))));
    expect(Object.keys(added)).toEqual(["authorization_request"]);
    expect(added["authorization_request"]).toBeLessThanOrEqual(WINDOWS * RATE_LIMITS.authorize_page_address.count);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBe(ATTEMPTS - (added["authorization_request"] ?? 0));
    for (const answer of refused) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await authorize(await anApplication())).status).toBe(303);
  });

  it("cancels authorizations from any number of addresses: no row is kept", async () => {
    const { authorization } = deployment.auth.as("gateway");
    const refusal = { accountUuid: randomUUID(), approve: false };
    let answered = 0;
    const added = await addedBy(() =>
      repeat(REPLAYS, async (number) => {
        const browserToken = newToken();
        const parameters = [...requestOf(application)].map(([name, value]) => ({ name, value }));
        const peer = { address: `198.51.100.${number}`, userAgent: "" };
        const { step } = await authorization.beginAuthorization({ parameters, browserToken, peer });
        const authorizationHandle = step?.step.case === "signIn" ? step.step.value.authorizationHandle : "";
        const decided = await authorization.decideConsent({ ...refusal, authorizationHandle, browserToken });
        if (decided.step?.step.case === "redirect") answered += 1;
      }),
    );
    expect(answered).toBe(REPLAYS);
    expect(added).toEqual({ authorization_request: REPLAYS });
  });

  it("sends a code, and a refresh token, again and again: each is recorded once, and then counted", async () => {
    const session = await signIn(database);
    const code = await application.code(session);
    await application.exchange(code);
    const first = tokensIn(await application.exchange(await application.code(session)));
    const second = tokensIn(await application.refresh(first.refreshToken));
    await application.refresh(second.refreshToken);
    const added = await addedBy(() =>
      repeat(REPLAYS, async () => {
        expect((await application.exchange(code)).case).toBe("error");
        expect((await application.refresh(first.refreshToken)).case).toBe("error");
      }),
    );
    expect(added).toEqual({ audit: 2 });
    const events = await database.query
      .selectFrom("audit")
      .select("event")
      .orderBy("event_id", "desc")
      .limit(2)
      .execute();
    expect(events.map(({ event }) => event).toSorted()).toEqual(["code.replayed", "tokens.reused"]);
    const metrics = await (await fetch(`${deployment.auth.adminUrl}/metrics`)).text();
    expect(metrics).toContain(`tidemark_auth_replays_total{kind="code"} ${REPLAYS}`);
    // The tokens of a family that is revoked are invalid, used before or not.
    expect(metrics).toMatch(/tidemark_auth_replays_total\{kind="refresh_token"\} [1-9]/);
  });

  it.each<[string, Readonly<Record<string, number>>, (accounts: AuthClients["accounts"]) => Promise<unknown>]>([
    [
      "makes codes up",
      { audit: RATE_LIMITS.code_address.count },
      (accounts) =>
        accounts.completeSignIn({
          signInHandle: newToken(),
          browserToken: newToken(),
          code: "BCDF-GHJK",
          peer: PEER,
        }),
    ],
    [
      "asks for codes",
      { sign_in: RATE_LIMITS.sign_in_address.count, mail_count: RATE_LIMITS.sign_in_address.count },
      (accounts) =>
        accounts.beginSignIn({
          email: `${randomUUID()}@example.com`,
          browserToken: newToken(),
          peer: PEER,
        }),
    ],
    [
      "makes answers of passkeys up",
      { audit: RATE_LIMITS.passkey_refusal_address.count },
      (accounts) =>
        accounts.completePasskeySignIn({
          browserToken: newToken(),
          credentialJson: "{}",
          peer: PEER,
        }),
    ],
    [
      "asks for questions of passkeys",
      { passkey_challenge: RATE_LIMITS.passkey_address.count },
      (accounts) => accounts.beginPasskeySignIn({ browserToken: newToken(), peer: PEER }),
    ],
  ])("%s: as many rows as the limits say", async (_, bounds, call) => {
    const { accounts } = deployment.auth.as("gateway");
    const added = await addedBy(() => repeat(ATTEMPTS, () => call(accounts).catch(unlessLimited)));
    expect(Object.keys(added).toSorted()).toEqual(Object.keys(bounds).toSorted());
    for (const [table, bound] of Object.entries(bounds)) expect(added[table]).toBeLessThanOrEqual(WINDOWS * bound);
  });

  it("leaves nothing two days later but the audit, and what is known of networks", async () => {
    const later = BigInt(Date.now()) + 2n * DAY_MS;
    await deleteExpiredRows(database, expiredRows(later, 400n * DAY_MS), new AbortController().signal);
    const left = await rowCounts(database);
    for (const table of [
      "authorization_request",
      "pushed_request",
      "sign_in",
      "passkey_challenge",
      "mail_count",
      "rate_window",
    ])
      expect([table, left[table]]).toEqual([table, 0]);
  });
});

const PEER = { address: "203.0.113.7", userAgent: "" };

function unlessLimited(error: unknown): void {
  if (ConnectError.from(error).code !== Code.ResourceExhausted) throw error;
}

async function repeat(count: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function rowCounts({ query }: AuthDatabase): Promise<Readonly<Record<string, number>>> {
  const tables = await sql<{ name: keyof AuthSchema }>`
    select table_name as name from information_schema.tables where table_schema = database()`.execute(query);
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.table(name)}`.execute(query);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}

async function signIn(database: AuthDatabase): Promise<string> {
  const token = newOpaqueToken();
  const nowMs = BigInt(Date.now());
  await database.write(async (transaction) => {
    const account = await findOrCreateAccount(transaction, database.dialect, "user@example.com", nowMs);
    await startSession(transaction, { token, account, userAgent: "", authenticatedBy: "code" }, nowMs);
  });
  return token;
}
