import type { CommitmentsDatabase } from "../../../services/commitments/base/schema.ts";
import { auctionDefinition, evmSource } from "../../../services/commitments/testing/samples.ts";
import type { Random } from "../../../services/demo/bidders/random.ts";
import type { RestartableCommitments } from "../../support/processes/restartable-commitments.ts";
import { BidSource } from "./bid-source.ts";
import { ChainReader } from "./chain-reader.ts";
import { countedByName, type Fault, FaultInjector, fork } from "./fault-injector.ts";
import { openedLedger } from "./opened-ledger.ts";
import { PersistentCaller } from "./persistent-caller.ts";
import { runUntilDone, type Task } from "./run-until-done.ts";
import type { SaleLedger } from "./sale-ledger.ts";
import { type Actor, readUntil, writeUntil } from "./writers.ts";

/** The number of sales that are fed by RPC, and of concurrent writers to each. */
const FED_SALES = 2;
const WRITERS = 2;
/** Numbers that separate the bids of the contract's reader from those of one that has lost its lease. */
const READER = 0;
const OVERTAKEN = 1;

export interface FaultRunOptions {
  readonly services: readonly [RestartableCommitments, ...RestartableCommitments[]];
  /** The test's own connection. */
  readonly database: CommitmentsDatabase;
  readonly faults: readonly Fault[];
  readonly random: Random;
}

/** Concurrent writers and readers of several sales while one fault is injected after another. */
export class FaultRun {
  readonly #options: FaultRunOptions;
  readonly #injector: FaultInjector;
  readonly #callers: PersistentCaller[] = [];
  readonly #fed: readonly SaleLedger[];
  readonly #chain: SaleLedger;

  private constructor(options: FaultRunOptions, fed: readonly SaleLedger[], chain: SaleLedger) {
    this.#options = options;
    this.#injector = new FaultInjector(fork(options.random));
    this.#fed = fed;
    this.#chain = chain;
  }

  /** Opens the sales: some are fed by RPC, and one is read from a contract. */
  static async prepare(options: FaultRunOptions): Promise<FaultRun> {
    const definitions = Array.from({ length: FED_SALES }, () => auctionDefinition);
    const fed = await Promise.all(definitions.map((definition) => openedLedger(options.database, definition)));
    return new FaultRun(
      options,
      fed,
      await openedLedger(options.database, { ...auctionDefinition, source: evmSource }),
    );
  }

  /** The ledger of the sale that is read from a contract. */
  get chain(): SaleLedger {
    return this.#chain;
  }

  get ledgers(): readonly SaleLedger[] {
    return [...this.#fed, this.#chain];
  }

  /** Works until the last fault is repaired. @returns the reader of the contract */
  async work(): Promise<ChainReader> {
    const reader = await ChainReader.takeOver(this.#actor(this.#chain), this.#bids(READER), this.#options.database);
    await runUntilDone(
      (over) => this.#injector.run(this.#options.faults, over),
      [
        ...this.#fed.flatMap((ledger) => this.#writers(ledger)),
        ...this.ledgers.map((ledger) => this.#task(ledger, readUntil)),
        (over) => reader.readUntil(over),
        this.#task(this.#chain, (over, actor) => reader.sendStaleUntil(over, actor, this.#bids(OVERTAKEN))),
      ],
    );
    return reader;
  }

  /** Returns a caller that takes no part in the work. */
  caller(): PersistentCaller {
    return this.#actor(this.#chain).caller;
  }

  /** A text about the work that was done. */
  get summary(): string {
    const applies = sum(this.ledgers, ({ entries }) => entries.length);
    const lost = sum(this.ledgers, ({ answersLost }) => answersLost);
    const calls = `${sum(this.#callers, ({ sent }) => sent)} calls`;
    const retries = `${sum(this.#callers, (caller) => caller.retries)} of them retries`;
    const faults = `faults: ${countedByName(this.#options.faults)}`;
    return `${applies} applies acknowledged, ${lost} after a lost answer; ${calls}, ${retries}; ${faults}`;
  }

  #writers(ledger: SaleLedger): Task[] {
    return Array.from({ length: WRITERS }, (_, writer) => {
      const bids = this.#bids(writer);
      return this.#task(ledger, (over, actor) => writeUntil(over, actor, bids));
    });
  }

  #task(ledger: SaleLedger, work: (over: AbortSignal, actor: Actor) => Promise<void>): Task {
    const actor = this.#actor(ledger);
    return (over) => work(over, actor);
  }

  #actor(ledger: SaleLedger): Actor {
    const { services, random } = this.#options;
    const [first, ...others] = services;
    const clients = [first.commitments, ...others.map(({ commitments }) => commitments)] as const;
    const caller = new PersistentCaller(clients, fork(random), () => this.#injector.requestSent());
    this.#callers.push(caller);
    return { ledger, caller, random: fork(random) };
  }

  #bids(writer: number): BidSource {
    return new BidSource(fork(this.#options.random), writer);
  }
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
