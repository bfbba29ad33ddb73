import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { walletColumn, walletOfBytes } from "../../common/chains/wallet.ts";
import { bytesOfHex } from "../../common/platform/encoding/hex.ts";
import { ClearingOutcome } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { insertSubscription } from "../../services/entities/alerts/alerts-store.ts";
import type { StoreConfig } from "../../services/entities/base/config.ts";
import { migrateStore, openStore } from "../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../services/entities/base/schema.ts";
import { insertEntity } from "../../services/entities/entities/entities-store.ts";
import { sampleEntity } from "../../services/entities/testing/sample-entity.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { mysqlOf } from "../support/databases/mysql-of.ts";
import { startService } from "../support/processes/child-process.ts";
import { findProgram } from "../support/processes/program.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { type AlertMoment, type AlertRun, MAIL_LINE } from "./support/alerts/alert-process.ts";

/** Three transactions' worth, and three runs' of mails. */
const PEOPLE = 250;
const START_MS = 1_800_000_000_000;
/** Longer than a process has a sale or a mail for itself. */
const LATER_MS = 61_000;
const MOMENTS: readonly AlertMoment[] = ["asked", "storing", "stored", "stored", "mailed", "mailed"];

/** Stores people with a wallet in a sale who want all mails about it. @returns their accounts */
async function storePeople(database: EntitiesDatabase): Promise<readonly string[]> {
  const saleUuid = randomUUID();
  const entities = Array.from({ length: PEOPLE }, () => sampleEntity());
  await database.write(async (transaction) => {
    for (const [index, entity] of entities.entries()) {
      const wallet = walletOfBytes(Buffer.from((index + 1).toString(16).padStart(40, "0"), "hex"));
      await insertEntity(transaction, entity);
      const row = { sale: bytesOfHex(saleUuid), wallet: walletColumn(wallet), kind: wallet.kind };
      const times = { proved_at_ms: null, bound_at_ms: 1n, permit_expires_at_ms: 1n, chain_id: 0n };
      await transaction
        .insertInto("sale_wallet")
        .values({ ...row, ...times, entity: bytesOfHex(entity.uuid) })
        .execute();
      const asked = { saleUuid, accountUuid: entity.accountUuid, alertUuid: randomUUID(), language: "en" };
      await insertSubscription(transaction, { ...asked, reasons: ["position"] }, BigInt(START_MS));
    }
  });
  return entities.map(({ accountUuid }) => accountUuid);
}

/** Runs a process that judges and mails. @returns the mails that it handed to auth, each with its account, by UUID */
async function mailsOf(run: AlertRun): Promise<readonly (readonly [uuid: string, accountUuid: string])[]> {
  const main = "test/faults/support/alerts/alert-process.ts";
  const process = await startService({ main, env: { ALERT_RUN: JSON.stringify(run) }, ready: /^begun$/ });
  const { code, signal } = await process.exited;
  const output = process.output();
  expect({ code, signal }, output).toEqual(
    run.killedWhen === undefined ? { code: 0, signal: null } : { code: null, signal: "SIGKILL" },
  );
  return Array.from(output.matchAll(MAIL_LINE), ([, uuid = "", account = ""]) => [uuid, account] as const);
}

/** Kills one process after the other while everybody's bid goes out, and compares who was mailed how often. */
async function expectMailedOnce(store: StoreConfig): Promise<void> {
  const database = await openStore(store);
  onTestFinished(() => database.close());
  await migrateStore(database);
  const people = await storePeople(database);
  const mails = new Map<string, string>();
  let nowMs = START_MS;
  const runAt = async (outcome: ClearingOutcome, killedWhen: AlertMoment | undefined) => {
    for (const [uuid, account] of await mailsOf({ store, nowMs, outcome, killedWhen })) mails.set(uuid, account);
    nowMs += LATER_MS;
  };
  await runAt(ClearingOutcome.IN, undefined);
  for (const moment of MOMENTS) await runAt(ClearingOutcome.OUT, moment);
  await runAt(ClearingOutcome.OUT, undefined);
  await runAt(ClearingOutcome.OUT, undefined);
  // Auth knows a mail by its UUID and sends it once.
  expect([...mails.values()].toSorted()).toEqual(people.toSorted());
}

describe("mails about sales, of processes that are killed between judging and mailing", () => {
  it("are none lost and none sent twice, on SQLite", async () => {
    const { path, remove } = await temporaryFolder();
    onTestFinished(remove);
    await expectMailedOnce({ sqliteFile: join(path, "entities.sqlite") });
  });

  it.skipIf(findProgram("mariadbd") === undefined)("are none lost and none sent twice (mariadbd)", async () => {
    const mariaDb = await startMariaDb();
    onTestFinished(() => mariaDb.stop());
    await expectMailedOnce({ mysql: mysqlOf(await mariaDb.createDatabase("killed_alerts")) });
  });
});
