import { decodeAccount, type ListedAccount, unusableAnswer } from "../../../chains/svm/account-answer.ts";
import { peekEntityState } from "./account-layout.ts";
import { AddressColumn } from "./address-column.ts";
import { accountDigest, EntityTable } from "./entity-table.ts";

/** The address of an entity's account. */
export interface EntityAccount {
  readonly entityId: string;
  /** Base58. */
  readonly address: string;
}

/** All EntityState accounts of a sale in one list of a node, in 76 bytes each. */
export class PolledEntities {
  readonly table: EntityTable;
  /** Sum of all current amounts. */
  readonly sum: bigint;
  /** Sum of what is accepted of all. */
  readonly acceptedSum: bigint;
  readonly #addresses: AddressColumn;

  /**
   * @param sale the 32 bytes of the sale account's key.
   * @throws SourceFault if an account isn't an EntityState of the sale, or an entity has two accounts.
   */
  constructor(accounts: readonly ListedAccount[], sale: Uint8Array) {
    const rows = accounts
      .map(({ address, data }) => ({ address, data, ...decodeAccount(address, () => peekEntityState(data, sale)) }))
      .sort((a, b) => (a.entityId < b.entityId ? -1 : 1));
    refuseDuplicates(rows);
    this.table = new EntityTable(rows.map(({ entityId }) => entityId));
    this.#addresses = new AddressColumn(rows.map(({ address }) => address));
    rows.forEach(({ data }, index) => {
      this.table.setDigest(index, accountDigest(data));
    });
    this.sum = rows.reduce((sum, { currentAmount }) => sum + currentAmount, 0n);
    this.acceptedSum = rows.reduce((sum, { accepted }) => sum + accepted, 0n);
  }

  account(index: number): EntityAccount {
    return { entityId: this.table.ids.at(index), address: this.#addresses.at(index) };
  }

  /** The indexes of accounts that differ from those in `before`. */
  changedSince(before: EntityTable | undefined): readonly number[] {
    const all = Array.from({ length: this.table.size }, (_, index) => index);
    return before === undefined ? all : all.filter((index) => !this.table.hasSame(index, before));
  }
}

function refuseDuplicates(rows: readonly EntityAccount[]): void {
  rows.forEach(({ entityId }, index) => {
    if (entityId === rows[index - 1]?.entityId) throw unusableAnswer(`entity 0x${entityId} has two accounts`);
  });
}
