import { randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, it } from "vitest";
import { Random } from "../../services/demo/bidders/random.ts";
import type { StoreConfig } from "../../services/entities/base/config.ts";
import { openStore } from "../../services/entities/base/open-store.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { mysqlOf } from "../support/databases/mysql-of.ts";
import { findProgram } from "../support/processes/program.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { type Fault, FaultInjector, fork, shuffled } from "./support/fault-injector.ts";
import { killDatabase, killService, pauseDatabase, pauseService } from "./support/faults.ts";
import { PermitDeployment } from "./support/permits/permit-deployment.ts";
import { PermitRun } from "./support/permits/permit-run.ts";
import { runUntilDone } from "./support/run-until-done.ts";

/** `FAULT_SEED` repeats the choices of a run that was printed. */
const SEED = Number(process.env["FAULT_SEED"] ?? randomInt(2 ** 31));
const isLong = process.env["TEST_LONG"] === "1";
/** `TEST_LONG=1` injects each fault more often. */
const ROUNDS = isLong ? 6 : 1;
const LOAD = { salesAtOnce: 1, usersPerSale: 2 };

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

describe.skipIf(findProgram("mariadbd") === undefined)("permits on MariaDB (mariadbd)", () => {
  it(`are allowed, signed, stored and never beyond their bounds while services and database are killed and paused (FAULT_SEED=${SEED})`, async () => {
    const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
    const url = await mariaDb.createDatabase("killed_permits");
    const deployment = await PermitDeployment.start(stack, "remote", { MYSQL_URL: url }, { MYSQL_URL: url });
    await expectIntact(deployment, { mysql: mysqlOf(url) }, (random, over) => [
      deployment.killBeforeRecording(random.pick(deployment.entities), over),
      deployment.pauseBeforeRecording(random.pick(deployment.entities), random, over),
      ...(isLong ? [killService(deployment.auth)] : []),
      killDatabase(mariaDb),
      pauseDatabase(mariaDb, random),
    ]);
  });
});

describe.skipIf(!isLong)("permits on SQLite (the long run)", () => {
  it(`are allowed, signed, stored and never beyond their bounds while services are killed and paused (FAULT_SEED=${SEED})`, async () => {
    const { path, remove } = await temporaryFolder();
    stack.defer(remove);
    const deployment = await PermitDeployment.start(stack, "stored", { DATA_DIR: path });
    const [process] = deployment.entities;
    await expectIntact(deployment, { sqliteFile: `${path}/entities.sqlite` }, (random) => [
      killService(process),
      killService(process),
      pauseService(process, random),
      killService(deployment.auth),
    ]);
  });
});

/** Injects the faults of every round in random order while users ask for permits, then compares everything. */
async function expectIntact(
  deployment: PermitDeployment,
  store: StoreConfig,
  faultsOfRound: (random: Random, over: AbortSignal) => readonly Fault[],
): Promise<void> {
  const random = new Random(SEED);
  const injector = new FaultInjector(fork(random));
  const entitiesDatabase = stack.adopt(await openStore(store), (database) => database.close());
  const services = deployment.services(entitiesDatabase, fork(random), () => injector.requestSent());
  const run = await PermitRun.open({ services, ...LOAD });
  await runUntilDone((over) => {
    const rounds = Array.from({ length: ROUNDS }, () => faultsOfRound(random, over));
    return injector.run(shuffled(rounds.flat(), random), over);
  }, run.tasks);
  const permits = await run.expectAgree();
  console.log(`${entitiesDatabase.dialect.name}, FAULT_SEED=${SEED}: ${run.summary}; ${permits} permits stored`);
}
