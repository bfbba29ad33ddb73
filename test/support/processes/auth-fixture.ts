import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Registry } from "prom-client";
import { Env } from "../../../common/platform/config/env.ts";
import { Lifecycle } from "../../../common/platform/lifecycle/lifecycle.ts";
import { createRpcTransport } from "../../../common/platform/rpc/client/client.ts";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { openHttpListener } from "../../../common/platform/rpc/server/http-listener.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { type AuthServiceOptions, startAuthService } from "../../../services/auth/auth-service.ts";
import { type AuthConfig, authConfig } from "../../../services/auth/base/config.ts";
import { openStore } from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import { authUpstream } from "../../../services/commitments/auth-upstream.ts";
import type { PermitsClient } from "../../../services/commitments/sales/entities-sale-permits.ts";
import type { DatabaseVariant, TestDatabase } from "../databases/databases.ts";
import { mysqlOf } from "../databases/mysql-of.ts";
import { actingTransport } from "./acting-transport.ts";
import { type AuthClients, authClients } from "./auth-clients.ts";
import { type CommitmentsClients, type CommitmentsFixture, startCommitments } from "./commitments-fixture.ts";
import { describeService } from "./describe-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The callers with a key. `stranger` may call no method. */
const CALLERS = ["gateway", "commitments", "entities", "indexer", "operator", "resource-server", "stranger"] as const;
export type AuthCallerName = (typeof CALLERS)[number];

export const ISSUER = "https://auth.example";
/** The line of a mail that has its code. */
const CODE = /^ *([B-Z]{4}-[B-Z]{4}) *$/m;

export const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 9);

const CALL_TIMEOUT_MS = 60_000;
const BROWSER_TOKEN = "b".repeat(43);

/** The session of a person who has signed in. */
export interface SignedIn {
  readonly accountUuid: string;
  readonly sessionToken: string;
}

/**
 * An auth service in this process with a clock that the test moves, and a commitments service that uses it. Its RPC clients
 * call as an operator.
 */
export interface AuthFixture extends AuthClients {
  readonly url: string;
  readonly time: FakeClock;
  readonly commitments: CommitmentsFixture;
  /** A separate connection to the service's database. */
  readonly database: AuthDatabase;
  /** RPC clients of a caller. @param actorToken the person for whom it calls */
  as(caller: AuthCallerName, actorToken?: string): AuthClients;
  /** Signs a person in with the code from the mail. */
  signIn(email: string): Promise<SignedIn>;
  /** Changes the address of an account with the code from the mail. */
  changeEmail(session: SignedIn, email: string, options?: { readonly endTokens: boolean }): Promise<void>;
  /** Issues a token with which the gateway calls for a person. */
  actorToken(session: SignedIn, audience: string): Promise<string>;
  /** RPC clients of auth for the gateway's calls for a person. */
  asPerson(session: SignedIn): Promise<AuthClients>;
  /** RPC clients of the commitments service for the gateway's calls for a person. */
  saleClientsOf(session: SignedIn): Promise<CommitmentsClients>;
  /** The sent mails in their order. */
  mails(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface AuthFixtureOptions extends Partial<Omit<AuthConfig, "store" | "mail">> {
  /** A clock that begins at the present time by default. */
  readonly time?: FakeClock;
  /** Client of the entities service for the commitments service. Without it no sale has permits. */
  readonly permits?: PermitsClient;
  /** Client of the entities service for the deletion of accounts. Without it nobody has entities. */
  readonly entities?: AuthServiceOptions["entities"];
}

/** Starts both services on a database. */
export async function startAuth(
  testDatabase: TestDatabase,
  { time = new FakeClock(BigInt(Date.now())), permits, entities, ...options }: AuthFixtureOptions = {},
): Promise<AuthFixture> {
  const { logger } = captureLog();
  const folder = await temporaryFolder();
  const lifecycle = new Lifecycle({ logger });
  const keys = new Map(CALLERS.map((name) => [name, generateCallerKey().key] as const));
  // The two services call each other, so one address must be known before its service starts.
  const listener = await openHttpListener({ host: "127.0.0.1", port: 0, logger });
  const { url } = listener;
  const transportOf = (name: AuthCallerName) => {
    const caller = { name, key: keys.get(name) ?? new Uint8Array(), audience: AUTH_AUDIENCE };
    return createRpcTransport({ baseUrl: url, caller, defaultTimeoutMs: CALL_TIMEOUT_MS });
  };
  const now = () => Number(time.now());
  const auth = authUpstream({
    transport: transportOf("commitments"),
    issuer: ISSUER,
    now,
    registry: new Registry(),
    logger,
  });
  const commitments = await startCommitments(testDatabase, { auth, ...(permits && { permits }) });
  const config = { ...testConfig(folder.path), ...options, store: authStore(testDatabase) };
  await startAuthService({
    config,
    listener,
    callerKeys: new Map([...keys].map(([name, key]) => [name, [key]])),
    sales: commitments.as("auth").sales,
    entities,
    clock: time.now,
    lifecycle,
    registry: new Registry(),
    logger,
  });
  lifecycle.markReady();
  const database = await openStore(config.store);
  const as = (caller: AuthCallerName, actorToken?: string) => {
    const transport = transportOf(caller);
    return authClients(actorToken === undefined ? transport : actingTransport(transport, actorToken));
  };
  const gateway = as("gateway").accounts;
  const mails = async () => {
    // Files that are still being written have another extension.
    const names = (await readdir(folder.path)).filter((name) => name.endsWith(".eml")).toSorted();
    return Promise.all(names.map((name) => readFile(join(folder.path, name), "utf8")));
  };
  const actorToken = async ({ sessionToken }: SignedIn, audience: string) =>
    (await gateway.issueActorToken({ sessionToken, audience })).actorToken;
  return {
    ...as("operator"),
    url,
    time,
    commitments,
    database,
    as,
    signIn: (email) => {
      // Mails of the same millisecond have no order.
      time.advance(1);
      return signIn(gateway, mails, email);
    },
    changeEmail: async ({ sessionToken }, email, options) => {
      const { signInHandle } = await gateway.beginEmailChange({ sessionToken, email, browserToken: BROWSER_TOKEN });
      const code = mailedCode(await mails(), email);
      const entry = { sessionToken, signInHandle, browserToken: BROWSER_TOKEN, code, ...options };
      const { account } = await gateway.completeEmailChange(entry);
      if (account?.email !== email) throw new Error(`the address didn't become ${email}`);
    },
    actorToken,
    asPerson: async (session) => as("gateway", await actorToken(session, AUTH_AUDIENCE)),
    saleClientsOf: async (session) => commitments.as("gateway", await actorToken(session, COMMITMENTS_AUDIENCE)),
    mails,
    stop: async () => {
      await database.close();
      await lifecycle.stop();
      await commitments.stop();
      await folder.remove();
    },
  };
}

/** Declares tests for each kind of database, each with its own services. */
export function describeAuth(
  title: string,
  tests: (service: () => AuthFixture, variant: DatabaseVariant) => void,
  options: AuthFixtureOptions = {},
): void {
  describeService(title, (database) => startAuth(database, options), tests);
}

/** The store configuration of a test's database. */
export function authStore(database: TestDatabase): AuthConfig["store"] {
  if (database.dialect === "sqlite") return { sqliteFile: `${database.file}.auth` };
  return { mysql: mysqlOf(database.url) };
}

function testConfig(mailFolder: string): AuthConfig {
  const key = KEY_ENCRYPTION_KEY.toString("base64url");
  return authConfig(
    new Env({
      AUTH_URL: ISSUER,
      KEY_ENCRYPTION_KEY: key,
      MAIL_DIR: mailFolder,
      AUTH_RATE_LIMITS: "off",
      FOUNDERS: "open",
    }),
  );
}

async function signIn(
  accounts: AuthClients["accounts"],
  mails: AuthFixture["mails"],
  email: string,
): Promise<SignedIn> {
  const { signInHandle } = await accounts.beginSignIn({ email, browserToken: BROWSER_TOKEN });
  const code = mailedCode(await mails(), email);
  const answer = await accounts.completeSignIn({ signInHandle, browserToken: BROWSER_TOKEN, code });
  if (answer.account === undefined) throw new Error(`${email} can't sign in with the code ${JSON.stringify(code)}`);
  return { accountUuid: answer.account.uuid, sessionToken: answer.sessionToken };
}

/** The code of the last mail to an address that has one; empty without such a mail. */
function mailedCode(mails: readonly string[], email: string): string {
  return CODE.exec(codeMail(mails, email))?.[1] ?? "";
}

/** The last mail to an address that has a code, as a notice may have been mailed since; empty without one. */
export function codeMail(mails: readonly string[], email: string): string {
  return mails.findLast((mail) => mail.includes(`\nTo: ${email.toLowerCase()}\n`) && CODE.test(mail)) ?? "";
}
