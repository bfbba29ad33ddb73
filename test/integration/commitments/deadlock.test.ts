import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type Connection, createConnection } from "mysql2/promise";
import { expect, inject, it, vi } from "vitest";
import { mysqlDialect } from "../../../common/platform/db/mysql/mysql-dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import { readSaleSnapshot } from "../../../services/commitments/base/read-sale.ts";
import type { ApplyRequest } from "../../../services/commitments/changing/domain/prepare-apply.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { auctionDefinition, idOf, recordOf } from "../../../services/commitments/testing/samples.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { databases } from "../../support/databases/databases.ts";
import { sumsFromRows, sumsStored } from "../../support/databases/tick-sums.ts";
import { openUnchecked } from "../../support/sales/unchecked-sales.ts";

const ANY_REVISION = { generation: "", revision: 0n };

/** A deadlock ends the transaction within the database: no statement of the attempt may follow it. */
it.skipIf(inject("mariaDb").unavailable !== undefined)(
  "an apply that loses a deadlock leaves nothing of it behind (mariadb)",
  async () => {
    const variant = databases().find(({ name }) => name === "mariadb");
    const created = await variant?.create();
    if (created?.dialect !== "mysql") throw new Error("MariaDB is wanted");
    await using stack = new AsyncDisposableStack();
    const store = await openCommitmentsStore(created);
    const { database } = store;
    stack.defer(() => database.close());
    const rival = await createConnection(created.url);
    stack.defer(() => rival.end());
    const saleUuid = randomUUID();
    await createSale(store, {
      uuid: saleUuid,
      tenancy: "test",
      definition: auctionDefinition,
      ownerAccountUuid: "",
    });
    await openUnchecked(store, saleUuid);
    const apply = (amount: bigint) => {
      const amounts = recordOf(1).amounts.map((entry) => ({ ...entry, amount }));
      const upserts = [recordOf(1, { amounts })];
      return applyCommitments(store, { saleUuid, requestId: randomUUID(), upserts, removals: [] }, APPLY_OPTIONS);
    };
    await apply(2_000_000n);

    await makeHeavy(rival);
    const key = bytesOfHex(saleUuid);
    await rival.query("select * from commitment where sale = ? and commitment_id = ? for update", [
      key,
      bytesOfHex(idOf(1)),
    ]);
    const applying = apply(7_000_000n);
    await untilSomebodyWaits(rival);
    const closing = rival.query("update sale_state set lease_epoch = lease_epoch where sale = ?", [key]);
    await closing;
    await rival.query("rollback");
    await applying;

    const { snapshot } = await readSaleSnapshot(store, saleUuid, ANY_REVISION);
    expect(snapshot.total).toBe(7_000_000n);
    expect(await sumsStored(database, saleUuid)).toEqual(await sumsFromRows(database, saleUuid));
  },
);

/** The number of rows that fill one message: what follows them is built while it runs. */
const MANY = 500;

it.skipIf(inject("mariaDb").unavailable !== undefined)(
  "an apply whose transaction ends after its first message writes nothing outside of it (mariadb)",
  async () => {
    const created = await databases()
      .find(({ name }) => name === "mariadb")
      ?.create();
    if (created === undefined) throw new Error("MariaDB is wanted");
    await using stack = new AsyncDisposableStack();
    const store = await openCommitmentsStore(created);
    stack.defer(() => store.database.close());
    const saleUuid = randomUUID();
    await createSale(store, { uuid: saleUuid, tenancy: "test", definition: auctionDefinition, ownerAccountUuid: "" });
    await openUnchecked(store, saleUuid);
    const uuid = randomUUID();
    const apply = (upserts: readonly CommitmentRecord[], part: Pick<ApplyRequest, "removals" | "changeSet">) =>
      applyCommitments(
        store,
        { saleUuid, requestId: randomUUID(), upserts, ...part },
        { ...APPLY_OPTIONS, maxRows: 2 * MANY },
      );
    await apply([recordOf(1)], { removals: [], changeSet: { uuid, part: 0, last: false } });
    const before = await readSaleSnapshot(store, saleUuid, ANY_REVISION);

    const { messageOf = () => "" } = mysqlDialect;
    const ended = vi.spyOn(mysqlDialect, "messageOf").mockImplementation((statements) => {
      const isOfRows = statements.some(({ sql }) => sql.includes("insert into commitment "));
      return isOfRows ? "rollback; select * from missing" : messageOf(statements);
    });
    stack.defer(() => ended.mockRestore());
    const many = Array.from({ length: MANY }, (_, index) => recordOf(2 + index));
    const last = { removals: [idOf(1)], changeSet: { uuid, part: 1, last: true } };
    await expect(apply(many, last)).rejects.toMatchObject({ code: "ER_NO_SUCH_TABLE" });
    expect(await readSaleSnapshot(store, saleUuid, ANY_REVISION)).toEqual(before);
    ended.mockRestore();
    await apply(many, last);
    expect((await readSaleSnapshot(store, saleUuid, ANY_REVISION)).snapshot.count).toBe(BigInt(MANY));
  },
);

/** InnoDB sacrifices the transaction that has changed less. */
async function makeHeavy(rival: Connection): Promise<void> {
  await rival.query("set session transaction isolation level read committed");
  await rival.query("create table filler (id int primary key, x int)");
  await rival.query("insert into filler values ?", [Array.from({ length: 500 }, (_, id) => [id, 0])]);
  await rival.query("begin");
  await rival.query("update filler set x = x + 1");
}

/** InnoDB refreshes its table of transactions only if nobody has read it for 100 ms. */
async function untilSomebodyWaits(connection: Connection): Promise<void> {
  const waiting = "select count(*) as waiting from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const [rows] = await connection.query(waiting);
    if (Number((rows as { waiting: number }[])[0]?.waiting) > 0) return;
    await wait(150);
  }
  throw new Error("nobody waits for a lock");
}
