import { randomInt } from "node:crypto";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { getSale } from "../../services/commitments/base/read-sale.ts";
import type { StoreConfig } from "../../services/commitments/config.ts";
import { openStore } from "../../services/commitments/open-store.ts";
import { Random } from "../../services/demo/bidders/random.ts";
import { storeConfig } from "../support/databases/commitments-database.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { findProgram } from "../support/processes/program.ts";
import { RestartableCommitments } from "../support/processes/restartable-commitments.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { expectAgreement } from "./support/agreement.ts";
import { type Fault, shuffled } from "./support/fault-injector.ts";
import { FaultRun, type FaultRunOptions } from "./support/fault-run.ts";
import { killDatabase, killService, pauseDatabase, pauseService } from "./support/faults.ts";

/** `FAULT_SEED` repeats the writers' choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
/** `TEST_LONG=1` injects each fault more often. */
const CALL_TIMEOUT_MS = 30_000;
const ROUNDS = process.env["TEST_LONG"] === "1" ? 6 : 1;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe("applies on SQLite", () => {
  it(`are neither lost, doubled nor done by halves while the service is killed (FAULT_SEED=${SEED})`, async () => {
    const folder = await temporaryFolder();
    cleanUps.push(folder.remove);
    const service = await startService({ DATA_DIR: folder.path });
    const kills = Array.from({ length: 5 }, () => killService(service));
    const store = { sqliteFile: join(folder.path, "commitments.sqlite") };
    await expectIntact([service], store, (random) => [...kills, pauseService(service, random)]);
  });
});

describe.skipIf(findProgram("mariadbd") === undefined)("applies on MariaDB (mariadbd)", () => {
  it(`are neither lost, doubled nor done by halves while services and database are killed and paused (FAULT_SEED=${SEED})`, async () => {
    const mariaDb = await startMariaDb();
    cleanUps.push(() => mariaDb.stop());
    const url = await mariaDb.createDatabase("killed_applies");
    const [first, second] = [await startService({ MYSQL_URL: url }), await startService({ MYSQL_URL: url })];
    const store = storeConfig({ dialect: "mysql", url, remove: async () => {} });
    await expectIntact([first, second], store, (random) => [
      killService(first),
      killService(second),
      killService(first),
      killService(second),
      killDatabase(mariaDb),
      killDatabase(mariaDb),
      pauseDatabase(mariaDb, random),
      pauseService(first, random),
    ]);
  });
});

async function startService(env: Readonly<Record<string, string>>): Promise<RestartableCommitments> {
  const service = await RestartableCommitments.start(env, { timeoutMs: CALL_TIMEOUT_MS });
  cleanUps.push(() => service.kill());
  return service;
}

/** Injects the faults of every round in random order while many write and read, then compares everything. */
async function expectIntact(
  services: FaultRunOptions["services"],
  store: StoreConfig,
  faultsOfRound: (random: Random) => readonly Fault[],
): Promise<void> {
  const random = new Random(SEED);
  const database = await openStore(store);
  cleanUps.push(() => database.close());
  const rounds = Array.from({ length: ROUNDS }, () => faultsOfRound(random));
  const run = await FaultRun.prepare({ services, database, faults: shuffled(rounds.flat(), random), random });
  const reader = await run.work();
  console.log(`${database.dialect.name}, FAULT_SEED=${SEED}: ${run.summary}`);
  for (const ledger of run.ledgers) await expectAgreement(ledger, database, run.caller());
  const { state } = await getSale(database, run.chain.saleUuid);
  expect(state).toMatchObject({ sourcePosition: { height: reader.height }, lease: { holder: "reader" } });
  expect(state.changeSet).toBeUndefined();
  expect(reader.hiddenParts).toBeGreaterThan(0);
}
