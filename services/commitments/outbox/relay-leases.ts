import { randomUUID } from "node:crypto";
import type { CommitmentsDatabase } from "../base/schema.ts";
import { changeLeases, isLive, type LeaseRow, type Leases, memberName } from "./lease-rows.ts";
import { shareOf } from "./partitions.ts";

/** The holder of the whole outbox while processes share its partitions. */
const SHARED = "partitions";
/** The holder that ends the sharing: nobody renews the lease, and whoever takes it next has the outbox alone. */
const ENDING = "ending";

/** The number of times that a lease is renewed in its duration. One that fails is tried again with each poll, until the lease ends. */
const RENEWALS = 2;

export interface RelayLeasesDependencies {
  readonly database: CommitmentsDatabase;
  /** The duration of a lease without renewal: the time in which nobody publishes after its holder has died. */
  readonly leaseMs: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /**
   * Called when this process takes part again, or for the first time: others may have published meanwhile, or created a new
   * store on the bus.
   */
  readonly onJoined: () => void;
  /** Creates the bus's store if there is none. Only called while no other process publishes. */
  readonly prepareStore: () => Promise<void>;
  /** Waits until nothing of these partitions is being published. Nothing more is begun, as they aren't held any longer. */
  readonly drain: (partitions: readonly number[]) => Promise<void>;
}

/** Result of the transaction that takes and releases partitions. */
interface Taken {
  readonly role: "none" | "alone" | "shared";
  /** The partitions that this process holds, with the store that each was published to last. */
  readonly held: ReadonlyMap<number, string | undefined>;
  /** Partitions beyond this process's share, which it still holds. */
  readonly surplus: readonly number[];
  /** Whether others must release partitions before this process has its share. */
  readonly isWaiting: boolean;
}

const NOTHING: Taken = { role: "none", held: new Map(), surplus: [], isWaiting: true };

/**
 * The leases of the outbox that this process holds. Each partition is published by the holder of its lease, and only while
 * the lease of the whole outbox is shared: a version without partitions that holds that one publishes alone, and so does
 * the process that creates the bus's store.
 */
export class RelayLeases {
  readonly #options: RelayLeasesDependencies;
  readonly #id: string = randomUUID();
  #held: ReadonlyMap<number, string | undefined> = new Map();
  #until = -Infinity;
  #renewAt = -Infinity;
  /** Whether others may have released partitions since the last renewal began. */
  #isAsked = false;

  constructor(options: RelayLeasesDependencies) {
    this.#options = options;
  }

  /** Whether this process may publish a partition. The lease ends by this process's clock, read before it was asked for. */
  isHeld(partition: number): boolean {
    return this.#held.has(partition) && this.#isCurrent();
  }

  /** The partitions that this process may publish, with the store that each was published to last. */
  get held(): ReadonlyMap<number, string | undefined> {
    return this.#isCurrent() ? this.#held : NOTHING.held;
  }

  /** Whether this process had partitions whose leases have ended because it didn't renew them in time. */
  get haveLapsed(): boolean {
    return this.#held.size > 0 && !this.#isCurrent();
  }

  /** The time until the next renewal, in milliseconds; not positive where this process looks for partitions at once. */
  get untilRenewalMs(): number {
    return this.#renewAt - this.#options.now();
  }

  /**
   * Takes this process's share of the partitions, or renews it after half of its time. Releases what is beyond the share.
   *
   * @returns whether this process may publish a part of the outbox
   */
  async take(): Promise<boolean> {
    const askedAt = this.#options.now();
    if (askedAt >= this.#renewAt || this.#isAsked) {
      this.#isAsked = false;
      await this.#renew(askedAt);
    }
    return this.held.size > 0;
  }

  /** Has the next `take` look for partitions that others have released. */
  lookAgain(): void {
    this.#isAsked = true;
  }

  /** Notes that partitions are published to another store than before. */
  noteStore(storeId: string): void {
    this.#held = new Map([...this.#held.keys()].map((partition) => [partition, storeId]));
  }

  /**
   * Ends the sharing, as the bus has lost its store: all processes must know that before there is a new one. Nothing is
   * published until a process has the outbox alone and has created the store.
   */
  async endSharing(): Promise<void> {
    this.#forget();
    await changeLeases(this.#options.database, (leases) => {
      const { whole } = leases;
      if (whole.holder !== SHARED) return {};
      const others = this.#othersOf(leases);
      if (others.length === 0) return { write: [{ ...whole, untilMillis: 0n }] };
      const [last = whole] = [whole, ...others].toSorted((a, b) => Number(b.untilMillis - a.untilMillis));
      return { write: [{ ...whole, holder: ENDING, untilMillis: last.untilMillis }] };
    });
  }

  /** Releases all leases to other processes. Never rejects: if that fails, they end by themselves. */
  async release(): Promise<void> {
    const hadAny = this.#until !== -Infinity;
    this.#forget();
    if (!hadAny) return;
    await changeLeases(this.#options.database, (leases) => {
      const { whole, partitions } = leases;
      const isOthers = this.#othersOf(leases).length > 0;
      const isMine = whole.holder === this.#id || (whole.holder === SHARED && !isOthers);
      const own = partitions.filter(({ holder }) => holder === this.#id);
      return {
        write: [...own, ...(isMine ? [whole] : [])].map((row) => ({ ...row, untilMillis: 0n })),
        remove: [memberName(this.#id)],
      };
    }).catch(() => {});
  }

  #isCurrent(): boolean {
    return this.#options.now() < this.#until;
  }

  #forget(): void {
    this.#held = NOTHING.held;
    this.#until = -Infinity;
    this.#renewAt = -Infinity;
  }

  async #renew(askedAt: number): Promise<void> {
    const { leaseMs, onJoined, prepareStore, drain } = this.#options;
    let taken = await this.#change(false);
    // Asked afterwards: the lease may have ended while the transaction waited.
    if (!this.#isCurrent() || taken.role !== "shared") onJoined();
    if (taken.role === "alone") {
      this.#until = askedAt + leaseMs;
      await prepareStore().catch(async (error: unknown) => {
        await this.release();
        throw error;
      });
      taken = await this.#change(true);
    }
    if (taken.role !== "shared") return this.#forget();
    this.#held = taken.held;
    this.#until = askedAt + leaseMs;
    this.#renewAt = taken.isWaiting ? -Infinity : askedAt + leaseMs / RENEWALS;
    if (taken.surplus.length === 0) return;
    await drain(taken.surplus);
    await this.#releasePartitions(taken.surplus);
  }

  /** @param isPrepared whether the bus has a store: then others may publish, too */
  async #change(isPrepared: boolean): Promise<Taken> {
    let taken = NOTHING;
    await changeLeases(this.#options.database, (leases) => {
      const { whole, now } = leases;
      const until = now + BigInt(this.#options.leaseMs);
      taken = NOTHING;
      const isMine = whole.holder === this.#id;
      // Whoever shares it publishes until its own lease ends, also if a version with shorter leases has renewed the common one last.
      const isCommon = whole.holder === SHARED || whole.holder === ENDING;
      const lasts = isLive(whole, leases) || (isCommon && this.#othersOf(leases).length > 0);
      if (lasts && whole.holder !== SHARED && !isMine) return {};
      const isShared = isMine ? isPrepared : lasts;
      if (!isShared) {
        taken = { ...NOTHING, role: "alone" };
        return { write: [{ ...whole, holder: this.#id, untilMillis: until }] };
      }
      const { write, ...rest } = this.#shareOut(leases, until);
      taken = rest;
      return { write: [{ ...whole, holder: SHARED, untilMillis: until }, ...write] };
    });
    return taken;
  }

  /** The rows of the other processes that take part. */
  #othersOf(leases: Leases): readonly LeaseRow[] {
    return leases.members.filter((member) => member.holder !== this.#id && isLive(member, leases));
  }

  #shareOut(leases: Leases, untilMillis: bigint): Taken & { readonly write: readonly LeaseRow[] } {
    const { partitions } = leases;
    const others = this.#othersOf(leases);
    const share = shareOf(this.#id, [this.#id, ...others.map(({ holder }) => holder)]);
    const numbered = [...partitions.entries()];
    const own = numbered.filter(([, { holder, untilMillis: until }]) => holder === this.#id && until > 0n);
    const free = numbered.filter(
      ([, row]) => !isLive(row, leases) && !(row.holder === this.#id && row.untilMillis > 0n),
    );
    const mine = [...own, ...free.slice(0, Math.max(0, share - own.length))];
    const member = { name: memberName(this.#id), holder: this.#id, untilMillis, storeId: undefined };
    return {
      role: "shared",
      held: new Map(mine.slice(0, share).map(([partition, { storeId }]) => [partition, storeId])),
      surplus: mine.slice(share).map(([partition]) => partition),
      isWaiting: mine.length < share,
      write: [member, ...mine.map(([, row]) => ({ ...row, holder: this.#id, untilMillis }))],
    };
  }

  async #releasePartitions(released: readonly number[]): Promise<void> {
    await changeLeases(this.#options.database, (leases) => {
      const own = leases.partitions.filter(
        ({ holder }, partition) => holder === this.#id && released.includes(partition),
      );
      return { write: own.map((row) => ({ ...row, untilMillis: 0n })) };
    });
  }
}
