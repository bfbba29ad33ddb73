import { randomInt, randomUUID } from "node:crypto";
import { Env } from "../../../common/platform/config/env.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { DEFAULT_SECURITY } from "../../../services/auth/applications/definition/application-security.ts";
import { storeConfig } from "../../../services/auth/base/config.ts";
import { newOpaqueToken, opaqueTokenHash } from "../../../services/auth/base/opaque-token.ts";
import { openStore } from "../../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import { startSession } from "../../../services/auth/sessions/sessions-store.ts";
import { seedClient } from "../../../services/auth/testing/application.ts";
import { sampleClient } from "../../../services/auth/testing/sample-application.ts";
import type { MariaDb } from "../../support/databases/mariadb.ts";
import { generateAuthCallerKeys, startAuthProcess } from "../../support/processes/auth-process.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { startGatewayProcess } from "../../support/processes/gateway-process.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { APPLICATION, CODE_CHALLENGE } from "./application.ts";
import { type AuthHistory, accountEmail, accountKey, fillHistory } from "./auth-history.ts";
import type { Contestant } from "./contestant.ts";

const NOBODY = "http://127.0.0.1:1";
const ROWS_PER_STATEMENT = 1_000;
const CODE_LIFETIME_MS = 60_000n;

/** Gateway and auth service in separate processes, without rate limits, with their own database of the server. */
export interface Tidemark extends Contestant {
  readonly databaseName: string;
}

/** Starts gateway and auth service. @param history the rows that the database has before the benchmark */
export async function startTidemark(
  stack: AsyncDisposableStack,
  mariaDb: MariaDb,
  databaseName: string,
  history: AuthHistory,
): Promise<Tidemark> {
  const url = await mariaDb.createDatabase(databaseName);
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const keys = generateAuthCallerKeys();
  const port = await freePort();
  const authUrl = `http://127.0.0.1:${port}`;
  const auth = await startAuthProcess(
    {
      MYSQL_URL: url,
      AUTH_URL: authUrl,
      KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64url"),
      MAIL_DIR: folder.path,
      COMMITMENTS_URL: NOBODY,
      CALLER_KEY: keys.commitments.text,
      AUTH_RATE_LIMITS: "off",
    },
    keys,
  );
  stack.defer(async () => void (await auth.process.kill("SIGTERM")));
  const gateway = await startGatewayProcess({
    GATEWAY_PORT: String(port),
    COMMITMENTS_URL: NOBODY,
    AUTH_URL: authUrl,
    AUTH_RPC_URL: auth.url,
    CALLER_NAME: "gateway",
    CALLER_KEY: keys.gateway.text,
  });
  stack.defer(async () => void (await gateway.process.kill("SIGTERM")));
  const database = await openStore(storeConfig(new Env({ MYSQL_URL: url })));
  stack.defer(() => database.close());
  await seedApplication(database);
  await fillHistory(database, history);
  return {
    databaseName,
    authorizeUrl: `${authUrl}/oauth/authorize`,
    tokenUrl: `${authUrl}/oauth/token`,
    processes: [
      { name: "gateway", pid: gateway.process.pid },
      { name: "auth", pid: auth.process.pid },
      { name: "MariaDB", pid: mariaDb.pid },
    ],
    prepareCodes: (count) => prepareCodes(database, history.accounts, count),
    browsers: (count) => Promise.all(Array.from({ length: count }, (_, index) => signedIn(database, index + 1))),
  };
}

async function seedApplication(database: AuthDatabase): Promise<void> {
  const definition = {
    name: "Benchmark",
    redirectUris: [APPLICATION.redirectUri],
    scopes: APPLICATION.scopes.map((scope) => ({ scope, required: true })),
    security: DEFAULT_SECURITY,
  };
  await seedClient(database, sampleClient({ uuid: APPLICATION.clientId, definition }));
}

/** Creates codes of accounts that are spread over the table. */
async function prepareCodes(database: AuthDatabase, accounts: number, count: number): Promise<readonly string[]> {
  const codes = Array.from({ length: count }, newOpaqueToken);
  const nowMs = BigInt(Date.now());
  const rows = codes.map((code) => ({
    code: opaqueTokenHash(code),
    client: bytesOfHex(APPLICATION.clientId),
    account: accountKey(randomInt(accounts) + 1),
    family: bytesOfHex(randomUUID()),
    redirect_uri: APPLICATION.redirectUri,
    scopes: APPLICATION.scopes.join(" "),
    code_challenge: CODE_CHALLENGE,
    token_generation: 0n,
    authenticated_at_ms: nowMs,
    created_at_ms: nowMs,
    expires_at_ms: nowMs + CODE_LIFETIME_MS,
  }));
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const values = rows.slice(from, from + ROWS_PER_STATEMENT);
    await database.query.insertInto("authorization_code").values(values).execute();
  }
  return codes;
}

/** Returns the cookies of a browser in which an account is signed in. */
async function signedIn(database: AuthDatabase, number: number): Promise<string> {
  const token = newOpaqueToken();
  const account = {
    uuid: accountKey(number).toString("hex"),
    email: accountEmail(number),
    createdAtMs: BigInt(Date.now()),
  };
  await database.write((transaction) =>
    startSession(transaction, { token, account, userAgent: "", authenticatedBy: "code" }, BigInt(Date.now())),
  );
  return `tidemark-session=${token}; tidemark-browser=${newOpaqueToken()}`;
}
