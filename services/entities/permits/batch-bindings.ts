import { walletKey } from "../../../common/chains/wallet.ts";
import type { SaleWallet } from "../wallets/binding.ts";
import { type SaleWalletKey, type SaleWalletRow, saleWalletOfRow } from "../wallets/sale-wallets-store.ts";

/** Bindings of a sale by wallet and by entity. */
export class BatchBindings {
  readonly #byWallet: ReadonlyMap<string, SaleWallet>;
  readonly #byEntity: ReadonlyMap<string, readonly SaleWallet[]>;

  /** @param rows may hold a binding twice */
  constructor(rows: readonly SaleWalletRow[]) {
    const bindings = rows.map(saleWalletOfRow);
    this.#byWallet = new Map(bindings.map((binding) => [walletKey(binding.wallet), binding]));
    this.#byEntity = Map.groupBy(this.#byWallet.values(), ({ entityUuid }) => entityUuid);
  }

  /** Returns the bindings of an entity, and that of a wallet, to whichever entity. */
  of({ entityUuid, wallet }: Pick<SaleWalletKey, "entityUuid" | "wallet">): readonly SaleWallet[] {
    const own = this.#byEntity.get(entityUuid) ?? [];
    const wanted = this.#byWallet.get(walletKey(wallet));
    return wanted === undefined || wanted.entityUuid === entityUuid ? own : [wanted, ...own];
  }
}
