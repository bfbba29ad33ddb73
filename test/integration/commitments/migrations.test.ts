import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { Code } from "@connectrpc/connect";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrations } from "../../../services/commitments/base/migrations.ts";
import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { migrateStore, openStore } from "../../../services/commitments/open-store.ts";
import { storeConfig } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase, type TestDatabase } from "../../support/databases/databases.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { startCommitments } from "../../support/processes/commitments-fixture.ts";
import { amountOf, apply, auction, openedSale, record } from "../../support/sales/sale-messages.ts";

describeEachDatabase("migrations", (variant) => {
  let testDatabase: TestDatabase;
  let database: CommitmentsDatabase;
  beforeEach(async () => {
    const created = await variant.create();
    // The file that a service keeps in this folder.
    testDatabase =
      created.dialect === "sqlite" ? { ...created, file: join(dirname(created.file), "commitments.sqlite") } : created;
    database = await openStore(storeConfig(testDatabase));
  });
  afterEach(async () => {
    await database.close();
    await testDatabase.remove();
  });

  const tables = async () => (await database.query.introspection.getTables()).map(({ name }) => name).sort();
  const allNames = () => Object.keys(migrations(database.dialect));

  it("run once, in the order of their names", async () => {
    expect(await migrateStore(database)).toEqual(allNames());
    expect(await tables()).toEqual([
      "allocation",
      "apply_request",
      "begun_sale",
      "commitment",
      "commitment_wallet",
      "frozen_body",
      "history",
      "outbox",
      "outbox_relay",
      "sale",
      "sale_logo",
      "sale_source_status",
      "sale_state",
      "tick_node",
      "webhook_delivery",
      "webhook_endpoint",
      "webhook_event",
      "webhook_fault",
      "webhook_lease",
      "webhook_replay",
    ]);
    expect(await migrateStore(database)).toEqual([]);
  });

  it("run once even if several processes start at once", async () => {
    const processes = await Promise.all([migrateProcess(), migrateProcess(), migrateProcess()]);
    const exits = await Promise.all(processes.map(({ exited }) => exited));
    const outputs = processes.map((process) => process.output()).join("\n");
    expect([exits.map(({ code }) => code), outputs]).toEqual([[0, 0, 0], outputs]);
    const run = [...outputs.matchAll(/"migrations":(\[[^\]]*\])/g)].flatMap(([, list = ""]) => JSON.parse(list));
    expect(run.sort()).toEqual(allNames());
    expect(await migrateStore(database)).toEqual([]);
  });

  it("keep existing rows", async () => {
    await migrateStore(database);
    const before = await startCommitments(testDatabase, { migrateAtStart: false });
    const saleUuid = await openedSale(before, auction({ name: "Kept" }));
    await before.stop();
    const after = await startCommitments(testDatabase);
    expect((await after.sales.getSale({ saleUuid })).sale).toMatchObject({ definition: { name: "Kept" } });
    await after.stop();
  });

  it("don't run with MIGRATIONS=off", async () => {
    const service = await startCommitments(testDatabase, { migrateAtStart: false });
    await expect(service.sales.getSale({ saleUuid: randomUUID() })).rejects.toMatchObject({ code: Code.Internal });
    expect(await tables()).toEqual([]);
    await service.stop();
  });

  it.runIf(variant.name === "mariadb")("finish the work of a run that has died: DDL isn't transactional", async () => {
    await migrateStore(database);
    await sql`delete from kysely_migration`.execute(database.query);
    expect(await migrateStore(database)).toEqual(allNames());
  });

  it.runIf(variant.name === "mariadb")(
    "keep prices of 64 bits as they are, as they make room for longer ones",
    async () => {
      await migrateStore(database);
      await sql`alter table commitment modify price_tick binary(8) not null`.execute(database.query);
      await sql`alter table tick_node modify node binary(9) not null`.execute(database.query);
      await sql`alter table sale_state modify clearing_tick binary(8)`.execute(database.query);
      await sql`alter table history modify clearing_tick binary(8)`.execute(database.query);
      const service = await startCommitments(testDatabase, { migrateAtStart: false });
      const saleUuid = await openedSale(service, auction());
      // The last bytes of the second and of its nodes are zeros.
      const ticks = [10n, 2n ** 32n, 2n ** 64n - 1n];
      const upserts = ticks.map((tick, index) =>
        record(index + 1, { priceTicks: String(tick), amounts: [amountOf(10n ** 18n)] }),
      );
      await apply(service, saleUuid, { upserts });
      const stored = async () => ({
        rows: await database.query.selectFrom("commitment").select(["commitment_id", "price_tick"]).execute(),
        nodes: await database.query.selectFrom("tick_node").selectAll().execute(),
        states: await database.query.selectFrom("sale_state").select("clearing_tick").execute(),
        buckets: await database.query.selectFrom("history").select("clearing_tick").execute(),
      });
      const before = await stored();
      const fromWidening = allNames().filter((name) => name >= "059");
      await sql`delete from kysely_migration where name in (${sql.join(fromWidening)})`.execute(database.query);
      expect(await migrateStore(database)).toEqual(fromWidening);
      expect(await stored()).toEqual(before);
      expect(before.rows.map(({ price_tick }) => price_tick.length)).toEqual([8, 8, 8]);
      await service.stop();
    },
  );

  it("that fail say what to do, with their cause", async () => {
    await sql`create view commitment as select 1 as sale`.execute(database.query);
    const failing = await migrateProcess();
    expect(await failing.exited).toEqual({ code: 1, signal: null });
    expect(failing.output()).toMatch(
      /once the cause is mended, run --migrate again.*(views may not be indexed|BASE TABLE)/,
    );
  });

  it("end the process with 78 if the configuration is wrong, and touch nothing", async () => {
    const process = await migrateProcess({ MIGRATIONS: "never" });
    expect(await process.exited).toEqual({ code: 78, signal: null });
    expect(process.output()).toContain("MIGRATIONS: expected one of start, off");
    expect(await tables()).toEqual([]);
  });

  /** The command of an operator. */
  function migrateProcess(env: Readonly<Record<string, string>> = {}) {
    const where =
      testDatabase.dialect === "mysql" ? { MYSQL_URL: testDatabase.url } : { DATA_DIR: dirname(testDatabase.file) };
    return startProcess({
      command: process.execPath,
      args: ["services/commitments/main.ts", "--migrate"],
      env: { ...where, ...env },
    });
  }
});
