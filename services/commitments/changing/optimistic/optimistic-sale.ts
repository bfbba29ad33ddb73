import type { Sale } from "../../../../common/sale/definition/sale.ts";
import { tickWidth } from "../../../../common/sale/definition/tick-width.ts";
import type { SaleState } from "../../base/domain/sale-state.ts";
import { SaleNodes } from "../../base/sale-nodes.ts";
import { newWriteToken } from "../../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../../base/schema.ts";
import type { ChangingSale } from "../changing-sale.ts";
import { PendingWrites } from "../pending-writes.ts";
import { optimisticLock } from "./optimistic-lock.ts";
import type { CachedSale } from "./sale-cache.ts";

/** The approximate length of the only message: well below any `max_allowed_packet`. */
const ONLY_MESSAGE_CHARACTERS = 512 * 1024;

/** Thrown if a change has to read something, or to write more than fits into one message. */
export class NeedsLock extends Error {}

/** A cached sale that is changed without locking or reading it. Its `commit` is the only message to the database. */
export class OptimisticSale implements ChangingSale {
  readonly canRead = false;
  readonly sale: Sale;
  readonly state: SaleState;
  readonly nowMillis: bigint;
  readonly nodes: SaleNodes;
  readonly writes = new PendingWrites(async () => {
    throw new NeedsLock("the writes don't fit into one message");
  }, ONLY_MESSAGE_CHARACTERS);
  readonly prefetched = {};
  readonly tokenBefore: string;
  readonly token = newWriteToken();
  readonly #database: CommitmentsDatabase;
  readonly #cached: CachedSale;

  constructor(database: CommitmentsDatabase, cached: CachedSale, nowMillis: bigint) {
    this.#database = database;
    this.#cached = cached;
    this.sale = cached.sale;
    this.state = cached.state;
    // This process's idea of the database's clock may be a little behind that of the change before.
    this.nowMillis = nowMillis > cached.changedAtMillis ? nowMillis : cached.changedAtMillis;
    const { uuid, definition } = cached.sale;
    this.nodes = new SaleNodes(database.dialect, uuid, tickWidth(definition), cached.nodes, refuseToRead);
    this.tokenBefore = cached.token;
  }

  get transaction(): never {
    return refuseToRead();
  }

  async commit(next: SaleState): Promise<void> {
    const lock = optimisticLock(this.#database.dialect, this.#cached, next, this.token);
    await this.#database.transact([...lock, ...(await this.writes.take())]);
  }
}

function refuseToRead(): never {
  throw new NeedsLock("a cached sale can't be read from the database");
}
