import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { WEBHOOK_LEASE_MS, WEBHOOK_LEASE_RENEWAL_MS } from "../base/domain/lifetimes.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

const NAME = "webhooks";

/** The lease of the one process that delivers to webhooks, by the database's clock. */
export class WebhookLease {
  readonly #database: CommitmentsDatabase;
  readonly #now: () => number;
  readonly #holder = randomUUID();
  #isHeld = false;
  #triedAt = -Infinity;

  /** @param now monotonic clock in milliseconds */
  constructor(database: CommitmentsDatabase, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#now = now;
  }

  /** The time until the lease is to be taken or renewed, in whole milliseconds. */
  get untilTryMs(): number {
    return Math.max(1, Math.ceil(this.#triedAt + WEBHOOK_LEASE_RENEWAL_MS - this.#now()) + 1);
  }

  /** Takes or renews the lease, if it is time to. @returns whether this process holds it */
  async take(): Promise<boolean> {
    const now = this.#now();
    if (now - this.#triedAt < WEBHOOK_LEASE_RENEWAL_MS) return this.#isHeld;
    this.#isHeld = false;
    this.#isHeld = await this.#take();
    this.#triedAt = now;
    return this.#isHeld;
  }

  async #take(): Promise<boolean> {
    const { dialect } = this.#database;
    const now = sql<bigint>`${dialect.nowMillis}`;
    const holder = this.#holder;
    return this.#database.write(async (transaction) => {
      const taken = await transaction
        .updateTable("webhook_lease")
        .set({ holder, until_ms: sql<bigint>`${now} + ${WEBHOOK_LEASE_MS}` })
        .where("name", "=", NAME)
        .where((each) => each.or([each("holder", "=", holder), each("until_ms", "<", now)]))
        .executeTakeFirstOrThrow();
      if (taken.numUpdatedRows > 0n) return true;
      // The first process ever inserts the row. Whoever comes second finds it taken.
      const clause = sql.raw(dialect.upsertClause(["name"], []));
      await sql`insert into webhook_lease (name, holder, until_ms)
        values (${NAME}, ${holder}, ${now} + ${WEBHOOK_LEASE_MS}) ${clause}`.execute(transaction);
      const row = await transaction
        .selectFrom("webhook_lease")
        .select("holder")
        .where("name", "=", NAME)
        .executeTakeFirst();
      return row?.holder === holder;
    });
  }

  /** Lets another process take the lease at once. */
  async release(): Promise<void> {
    this.#isHeld = false;
    await this.#database.write((transaction) =>
      transaction.updateTable("webhook_lease").set({ until_ms: 0n }).where("holder", "=", this.#holder).execute(),
    );
  }
}
