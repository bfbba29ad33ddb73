import { type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import type { BindingFacts, SaleWallet } from "./binding.ts";

/** An entity to which a signature has linked a wallet. */
export interface LinkedEntity {
  readonly wallet: Wallet;
  readonly entityUuid: string;
}

/** The bindings of a sale's wallets as far as some entities and wallets are concerned, and the links of these wallets. */
export class SaleBindings {
  readonly #byWallet: ReadonlyMap<string, SaleWallet>;
  readonly #byEntity: ReadonlyMap<string, readonly SaleWallet[]>;
  readonly #links: ReadonlyMap<string, readonly LinkedEntity[]>;

  /** @param bindings those of the entities, and those of the wallets, to whichever entity; the same one may come twice */
  constructor(bindings: readonly SaleWallet[], links: readonly LinkedEntity[]) {
    this.#byWallet = new Map(bindings.map((binding) => [walletKey(binding.wallet), binding]));
    this.#byEntity = Map.groupBy(this.#byWallet.values(), ({ entityUuid }) => entityUuid);
    this.#links = Map.groupBy(links, ({ wallet }) => walletKey(wallet));
  }

  /** Composes the facts for `judgeBinding`. */
  factsOf({ entityUuid, wallet }: LinkedEntity): BindingFacts {
    const key = walletKey(wallet);
    const binding = this.#byWallet.get(key);
    const linked = this.#links.get(key) ?? [];
    const own = this.#byEntity.get(entityUuid) ?? [];
    return {
      entityUuid,
      wallet,
      ...(binding !== undefined && { binding }),
      isLinked: linked.some((link) => link.entityUuid === entityUuid),
      isLinkedElsewhere: linked.some((link) => link.entityUuid !== entityUuid),
      otherWallets: own.filter((other) => walletKey(other.wallet) !== key),
    };
  }
}
