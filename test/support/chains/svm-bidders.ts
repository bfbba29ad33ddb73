import type { Random } from "../../../services/demo/bidders/random.ts";
import type { SvmNode } from "./svm-node.ts";
import { svmEntityId } from "./svm-reader-fixture.ts";
import { type SvmEntity, type SvmSaleState, svmAddress } from "./svm-sale.ts";

const WALLETS = 40;
const MAX_WALLETS_PER_ENTITY = 4;
/** Large, so that two random changes never cancel each other. */
const LARGEST_AMOUNT = 2 ** 40;
const DONE = 4;

/** Simulated bidders in the sale of an SVM node. Each change gets a slot of its own. */
export class SvmBidders {
  readonly #node: SvmNode;
  readonly #random: Random;
  #entities = 0;
  #seconds = 1_769_860_800n;

  constructor(node: SvmNode, random: Random) {
    this.#node = node;
    this.#random = random;
  }

  /** Adds new entities, all in one slot. */
  join(entities: number): void {
    this.#node.advance((state) => {
      for (let each = 0; each < entities; each += 1) {
        this.#entities += 1;
        const wallets = new Map([[this.#wallet(), this.#amount()]]);
        state.entities.set(svmEntityId(this.#entities), { ...this.#terms(0n), refunded: false, wallets });
      }
    });
  }

  /** Raises random entities: price and amounts never fall, the time moves, and a wallet may be added. */
  raise(entities: number): void {
    this.#change(entities, (entity) => {
      const wallet =
        entity.wallets.size < MAX_WALLETS_PER_ENTITY ? this.#wallet() : this.#random.pick([...entity.wallets.keys()]);
      if (wallet === undefined) return entity;
      const wallets = new Map(entity.wallets).set(wallet, (entity.wallets.get(wallet) ?? 0n) + this.#amount());
      return { ...this.#terms(entity.price), refunded: false, wallets };
    });
  }

  /** Halves the amounts of a random entity; the time stays. */
  reduce(): void {
    this.#change(1, (entity) => ({ ...entity, wallets: mapped(entity.wallets, (amount) => amount - amount / 2n) }));
  }

  /** Cancels a random entity's commitment. */
  cancel(): void {
    this.#change(1, (entity) => ({ ...entity, refunded: true, wallets: mapped(entity.wallets, () => 0n) }));
  }

  /** Marks random entities as refunded without changing their amounts, as at the end of a sale. */
  refund(entities: number): void {
    this.#change(entities, (entity) => ({ ...entity, refunded: true }));
  }

  /** Closes the accounts of a random entity. */
  close(): void {
    this.#node.advance((state) => {
      const id = this.#anybody(state);
      if (id !== undefined) state.entities.delete(id);
    });
  }

  /** Changes to a random other stage, also back from the last one. */
  changeStage(): void {
    this.#node.advance((state) => {
      state.stage = (state.stage + this.#random.integer(1, DONE)) % (DONE + 1);
    });
  }

  #change(times: number, change: (entity: SvmEntity) => SvmEntity): void {
    this.#node.advance((state) => {
      for (let time = 0; time < times; time += 1) {
        const id = this.#anybody(state);
        const entity = id === undefined ? undefined : state.entities.get(id);
        if (id !== undefined && entity !== undefined) state.entities.set(id, change(entity));
      }
    });
  }

  /** A random open entity, or undefined if ten random ones are all closed. */
  #anybody({ entities }: SvmSaleState): string | undefined {
    const tried = Array.from({ length: 10 }, () => svmEntityId(this.#random.integer(1, Math.max(1, this.#entities))));
    return tried.find((id) => entities.has(id));
  }

  #terms(price: bigint): Pick<SvmEntity, "price" | "timestamp" | "lockup"> {
    this.#seconds += 1n;
    const raised = price + BigInt(this.#random.integer(0, 50));
    return { price: raised, timestamp: this.#seconds, lockup: this.#random.next() < 0.5 };
  }

  #wallet(): string {
    return svmAddress(`wallet ${this.#random.integer(1, WALLETS)}`);
  }

  #amount(): bigint {
    return BigInt(this.#random.integer(1, LARGEST_AMOUNT));
  }
}

function mapped(wallets: ReadonlyMap<string, bigint>, change: (amount: bigint) => bigint): Map<string, bigint> {
  return new Map([...wallets].map(([wallet, amount]) => [wallet, change(amount)]));
}
