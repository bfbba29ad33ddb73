import { randomBytes } from "node:crypto";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Sale, SaleDefinition, Tenancy } from "../../../common/sale/definition/sale.ts";
import { encodeDefinition } from "../base/definition-codec.ts";
import { newSaleState } from "../base/domain/sale-state.ts";
import type { SaleWithState } from "../base/domain/sale-with-state.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import { encodeSaleState, newWriteToken, type Tx } from "../base/sale-rows.ts";

const GENERATION_BYTES = 8;

export interface NewSale {
  readonly uuid: string;
  readonly tenancy: Tenancy;
  readonly definition: SaleDefinition;
  /** Empty for none. */
  readonly ownerAccountUuid: string;
}

/** Inserts a draft. @throws what `SqlDialect.isDuplicateKey` recognises if the UUID is taken. */
export async function insertSale(dialect: SqlDialect, transaction: Tx, sale: NewSale): Promise<SaleWithState> {
  const state = newSaleState(newGeneration(), sale.definition.source !== undefined);
  await transaction
    .insertInto("sale")
    .values({
      sale: bytesOfHex(sale.uuid),
      tenancy: sale.tenancy,
      owner: sale.ownerAccountUuid === "" ? null : bytesOfHex(sale.ownerAccountUuid),
      created_at_ms: dialect.nowMillis,
      definition: encodeDefinition(sale.definition),
      definition_version: 1n,
      listed: listedColumn(sale.definition),
    })
    .execute();
  await transaction
    .insertInto("sale_state")
    .values(encodeSaleState(sale.uuid, state, newWriteToken()))
    .execute();
  return readSaleWithState(transaction, sale.uuid);
}

/** Overwrites the definition of a sale and its version. */
export async function storeDefinition(transaction: Tx, { uuid, definition, definitionVersion }: Sale): Promise<void> {
  await transaction
    .updateTable("sale")
    .set({
      definition: encodeDefinition(definition),
      definition_version: definitionVersion,
      listed: listedColumn(definition),
    })
    .where("sale", "=", bytesOfHex(uuid))
    .execute();
}

function listedColumn({ presentation }: SaleDefinition): number {
  return presentation?.listed ? 1 : 0;
}

/** Returns a random generation. */
export function newGeneration(): string {
  return randomBytes(GENERATION_BYTES).toString("hex");
}
