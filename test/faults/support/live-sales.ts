import { setTimeout as delay } from "node:timers/promises";
import { auctionDefinition } from "../../../services/commitments/testing/samples.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import { BidSource } from "./bid-source.ts";
import { fork } from "./fault-injector.ts";
import type { LiveDeployment } from "./live-deployment.ts";
import { openedLedger } from "./opened-ledger.ts";
import { PersistentCaller } from "./persistent-caller.ts";
import type { Task } from "./run-until-done.ts";
import type { SaleLedger } from "./sale-ledger.ts";

const SALES = 20;
const WRITERS = 8;
/** The number of writers of each sale. */
const WRITERS_PER_SALE = 2;
const MAX_ROWS = 20;
/** The longest pause of a writer, so that the load leaves CPU time for the services. */
const LONGEST_PAUSE_MS = 60;

export interface LiveSalesOptions {
  /** Default: 20. */
  readonly sales?: number;
  /** Default: 8. */
  readonly writers?: number;
}

/** Many sales that change all the time, through any of the services. */
export class LiveSales {
  readonly ledgers: readonly SaleLedger[];
  readonly #callers: readonly PersistentCaller[];
  readonly #random: Random;

  private constructor(ledgers: readonly SaleLedger[], callers: readonly PersistentCaller[], random: Random) {
    this.ledgers = ledgers;
    this.#callers = callers;
    this.#random = random;
  }

  /** Opens the sales. */
  static async open(
    { services, database }: Pick<LiveDeployment, "services" | "database">,
    random: Random,
    { sales = SALES, writers = WRITERS }: LiveSalesOptions = {},
  ): Promise<LiveSales> {
    const opened = Array.from({ length: sales }, () => openedLedger(database, auctionDefinition));
    const [first, ...others] = services;
    const clients = [first.commitments, ...others.map(({ commitments }) => commitments)] as const;
    const callers = Array.from({ length: writers }, () => new PersistentCaller(clients, fork(random), () => {}));
    return new LiveSales(await Promise.all(opened), callers, random);
  }

  /** The tasks that change the sales. */
  get writers(): readonly Task[] {
    const { length } = this.#callers;
    return this.#callers.map((caller, index) => {
      const random = fork(this.#random);
      const own = this.ledgers
        .filter((_, sale) => (index + sale) % length < WRITERS_PER_SALE)
        .map((ledger) => ({ ledger, bids: new BidSource(fork(random), index) }));
      return async (over) => {
        while (!over.aborted) {
          const chosen = random.pick(own);
          await chosen?.ledger.apply(caller, chosen.bids.next(random.pick([1, 1, 1, MAX_ROWS])));
          await delay(random.integer(0, LONGEST_PAUSE_MS));
        }
      };
    });
  }

  /** The revision of each sale after its last acknowledged apply. */
  get lastRevisions(): ReadonlyMap<string, bigint> {
    return new Map(this.ledgers.map(({ saleUuid, entries }) => [saleUuid, entries.at(-1)?.revision ?? 2n]));
  }

  /** A text about the work that was done. */
  get summary(): string {
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
    const applies = sum(this.ledgers.map(({ entries }) => entries.length));
    const lost = sum(this.ledgers.map(({ answersLost }) => answersLost));
    const retries = sum(this.#callers.map((caller) => caller.retries));
    return `${applies} applies to ${this.ledgers.length} sales, ${lost} after a lost answer, ${retries} retries`;
  }
}
