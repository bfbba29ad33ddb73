import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Connection, createConnection } from "mysql2/promise";
import type { NatsConnection } from "nats";
import { OUTBOX_SIGNAL } from "../../../common/internal-api/commitment-subjects.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { EVENT_BYTES } from "../latency/bare-updates.ts";

/** Time between two transactions of the writer, in milliseconds. */
const INTERVAL_MS = 20;
/** Rows in one statement. */
const MAX_ROWS = 500;
const INSERT = "insert into outbox (sale, revision, generation, created_at_ms, event) values ?";

/** Commits changes of many sales in turn, as far as the outbox is concerned: only its rows are written. */
export class CommittedChanges {
  readonly #connection: Connection;
  readonly #nats: NatsConnection;
  readonly #sales: readonly Buffer[];
  readonly #generation = randomBytes(8);
  #written = 0;

  private constructor(connection: Connection, nats: NatsConnection, saleUuids: readonly string[]) {
    this.#connection = connection;
    this.#nats = nats;
    this.#sales = saleUuids.map((uuid) => Buffer.from(bytesOfHex(uuid)));
  }

  static async open(mysqlUrl: string, nats: NatsConnection, saleUuids: readonly string[]): Promise<CommittedChanges> {
    return new CommittedChanges(await createConnection({ uri: mysqlUrl }), nats, saleUuids);
  }

  /** Commits changes at an even rate. @returns how many in all, which are fewer than wanted if the database is too slow */
  async commitFor(seconds: number, perSecond: number): Promise<number> {
    const begin = performance.now();
    const before = this.#written;
    for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - begin) {
      await this.commit(Math.round((elapsed * perSecond) / 1_000) - (this.#written - before));
      await delay(INTERVAL_MS);
    }
    return this.#written - before;
  }

  /** Commits a number of changes at once. */
  async commit(changes: number): Promise<void> {
    for (let left = changes; left > 0; left -= MAX_ROWS) {
      const rows = Array.from({ length: Math.min(left, MAX_ROWS) }, () => this.#row());
      await this.#connection.query(INSERT, [rows]);
      this.#nats.publish(OUTBOX_SIGNAL);
    }
  }

  /** Returns the number of changes that aren't marked as published. */
  async backlog(): Promise<number> {
    const [rows] = await this.#connection.query("select count(*) as backlog from outbox where published_at_ms is null");
    return Number((rows as { backlog: number }[])[0]?.backlog);
  }

  async close(): Promise<void> {
    await this.#connection.end();
  }

  #row(): unknown[] {
    const sale = this.#sales[this.#written % this.#sales.length];
    const revision = Math.floor(this.#written++ / this.#sales.length) + 2;
    return [sale, revision, this.#generation, Date.now(), randomBytes(EVENT_BYTES)];
  }
}
