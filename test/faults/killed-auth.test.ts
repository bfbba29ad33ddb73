import { randomInt } from "node:crypto";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Env } from "../../common/platform/config/env.ts";
import { findOrCreateAccount } from "../../services/auth/accounts/accounts-store.ts";
import { type StoreConfig, storeConfig } from "../../services/auth/base/config.ts";
import { newOpaqueToken } from "../../services/auth/base/opaque-token.ts";
import { openStore } from "../../services/auth/base/open-store.ts";
import type { AuthDatabase } from "../../services/auth/base/schema.ts";
import { startSession } from "../../services/auth/sessions/sessions-store.ts";
import { Application, seedClient } from "../../services/auth/testing/application.ts";
import { sampleClient } from "../../services/auth/testing/sample-application.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { findProgram } from "../support/processes/program.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { type Fault, FaultInjector, shuffled } from "./support/fault-injector.ts";
import { killDatabase, killService, pauseDatabase, pauseService } from "./support/faults.ts";
import { RestartableAuth } from "./support/restartable-auth.ts";
import { expectTokensAgree } from "./support/token-rows.ts";
import { TokenUser } from "./support/token-user.ts";

/** `FAULT_SEED` repeats the choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
/** `TEST_LONG=1` injects each fault more often. */
const ROUNDS = process.env["TEST_LONG"] === "1" ? 5 : 1;
const USERS = 6;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe("tokens on SQLite", () => {
  it(`are issued once, and never without their rows, while the service is killed (FAULT_SEED=${SEED})`, async () => {
    const folder = await temporaryFolder();
    cleanUps.push(folder.remove);
    const service = await startService({ DATA_DIR: folder.path, MAIL_DIR: join(folder.path, "mail") });
    const store = { sqliteFile: join(folder.path, "auth.sqlite") };
    await expectIntact(service, store, (random) => [
      killService(service),
      killService(service),
      pauseService(service, random),
    ]);
  });
});

describe.skipIf(findProgram("mariadbd") === undefined)("tokens on MariaDB (mariadbd)", () => {
  it(`are issued once, and never without their rows, while service and database are killed and paused (FAULT_SEED=${SEED})`, async () => {
    const folder = await temporaryFolder();
    cleanUps.push(folder.remove);
    const mariaDb = await startMariaDb();
    cleanUps.push(() => mariaDb.stop());
    const url = await mariaDb.createDatabase("killed_auth");
    const service = await startService({ MYSQL_URL: url, MAIL_DIR: folder.path });
    await expectIntact(service, storeConfig(new Env({ MYSQL_URL: url })), (random) => [
      killService(service),
      killService(service),
      killDatabase(mariaDb),
      pauseDatabase(mariaDb, random),
      pauseService(service, random),
    ]);
  });
});

async function startService(env: Readonly<Record<string, string>>): Promise<RestartableAuth> {
  const service = await RestartableAuth.start(env);
  cleanUps.push(() => service.kill());
  return service;
}

/** Injects the faults of every round in random order while users get and refresh tokens, then compares everything. */
async function expectIntact(
  service: RestartableAuth,
  store: StoreConfig,
  faultsOfRound: (random: Random) => readonly Fault[],
): Promise<void> {
  const random = new Random(SEED);
  const database = await openStore(store);
  cleanUps.push(() => database.close());
  const client = sampleClient();
  await seedClient(database, client);
  const injector = new FaultInjector(new Random(random.integer(0, 2 ** 31)));
  const application = new Application(service.authorization, client);
  const users = await Promise.all(
    Array.from({ length: USERS }, async (_, index) => {
      const sessionToken = await signedIn(database, `user-${index}@example.com`);
      const ownRandom = new Random(random.integer(0, 2 ** 31));
      return new TokenUser({ application, sessionToken, random: ownRandom, onSend: () => injector.requestSent() });
    }),
  );
  const faults = shuffled(Array.from({ length: ROUNDS }, () => faultsOfRound(random)).flat(), random);
  await workUntilMended(injector, faults, users);
  const before = users.map(({ exchanged }) => exchanged.length);
  // Nobody is stuck: without faults, everybody gets new tokens.
  await Promise.all(users.map((user) => user.flow()));
  expect(users.map(({ exchanged }) => exchanged.length)).toEqual(before.map((count) => count + 1));
  await expectTokensAgree(database, users);
  console.log(`${database.dialect.name}, FAULT_SEED=${SEED}: ${summary(users)}; ${faults.length} faults`);
}

async function workUntilMended(
  injector: FaultInjector,
  faults: readonly Fault[],
  users: readonly TokenUser[],
): Promise<void> {
  const over = new AbortController();
  const stop = () => over.abort();
  const work = users.map((user) => user.workUntil(over.signal).finally(stop));
  await Promise.all([injector.run(faults, over.signal).finally(stop), ...work]);
}

async function signedIn(database: AuthDatabase, email: string): Promise<string> {
  const token = newOpaqueToken();
  const nowMs = BigInt(Date.now());
  await database.write(async (transaction) => {
    const account = await findOrCreateAccount(transaction, database.dialect, email, nowMs);
    await startSession(transaction, { token, account, userAgent: "", authenticatedBy: "code" }, nowMs);
  });
  return token;
}

function summary(users: readonly TokenUser[]): string {
  const sum = (of: (user: TokenUser) => number) => users.reduce((total, user) => total + of(user), 0);
  const exchanges = `${sum((user) => user.exchanged.length)} exchanges, ${sum((user) => user.lostCodes)} codes lost`;
  const refreshes = sum((user) => user.refreshed.length);
  return `${exchanges}, ${refreshes} refreshes, ${sum((user) => user.repeatedRefreshes)} of them sent again`;
}
