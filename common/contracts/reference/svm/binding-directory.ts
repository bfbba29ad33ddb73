import { ascending } from "../../../sale/record/ascending.ts";
import { AddressColumn } from "./address-column.ts";
import { IdColumn } from "./id-column.ts";
import type { EntityAccount } from "./polled-entities.ts";

/** The addresses of wallet bindings by entity, in 60 bytes each. */
export class BindingDirectory {
  readonly #entityIds: IdColumn;
  readonly #addresses: AddressColumn;

  constructor(bindings: readonly EntityAccount[]) {
    const rows = bindings.toSorted((a, b) => ascending(a.entityId, b.entityId) || ascending(a.address, b.address));
    this.#entityIds = new IdColumn(rows.map(({ entityId }) => entityId));
    this.#addresses = new AddressColumn(rows.map(({ address }) => address));
  }

  /** An entity with a binding that isn't among others. */
  entityNotIn(entityIds: IdColumn): string | undefined {
    for (let index = 0; index < this.#entityIds.length; index += 1) {
      const entityId = this.#entityIds.at(index);
      if (entityIds.indexOf(entityId) === undefined) return entityId;
    }
    return undefined;
  }

  /** Addresses of the entity's bindings, ascending. */
  of(entityId: string): readonly string[] {
    const addresses: string[] = [];
    const begin = this.#entityIds.lowerBound(entityId);
    for (let index = begin; index < this.#entityIds.length && this.#entityIds.at(index) === entityId; index += 1) {
      addresses.push(this.#addresses.at(index));
    }
    return addresses;
  }
}
