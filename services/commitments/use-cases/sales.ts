import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { bytesOfHex, hexOfBytes } from "../../shared/encoding/hex.ts";
import { uuidFromBytes } from "../../shared/encoding/uuid.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import type { Sale, SaleDefinition, SaleStatus, Tenancy } from "../domain/sale/sale.ts";
import { newSaleState, type SaleState } from "../domain/sale/sale-state.ts";
import type { SaleWithState } from "../domain/sale/sale-with-state.ts";
import { changeSale } from "../store/apply/change-sale.ts";
import type { LockedSale } from "../store/apply/locked-sale.ts";
import { readSaleWithState } from "../store/read/read-sale.ts";
import { readSourceStatuses, withSourceStatus } from "../store/read/source-status.ts";
import { encodeDefinition } from "../store/sql/definition-codec.ts";
import { bigintOf } from "../store/sql/encoding.ts";
import { decodeSale, decodeSaleState, encodeSaleState, newWriteToken, type Tx } from "../store/sql/sale-rows.ts";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";

const GENERATION_BYTES = 8;

export interface NewSale {
  readonly uuid: string;
  readonly tenancy: Tenancy;
  readonly definition: SaleDefinition;
  /** Empty for none. */
  readonly ownerAccountUuid: string;
}

/**
 * Creates a draft. Where the same draft exists under the UUID, untouched since, it is the answer: the call may be
 * repeated.
 *
 * @throws ServiceError `already_exists`, `unavailable`.
 */
export async function createSale(database: CommitmentsDatabase, sale: NewSale): Promise<SaleWithState> {
  try {
    return await database.write((transaction) => insertSale(database, transaction, sale));
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    const existing = await database.snapshot((transaction) => readSaleWithState(transaction, sale.uuid));
    if (isUntouched(existing, sale)) return existing;
    throw new ServiceError("already_exists", `there is a sale ${sale.uuid} already`);
  }
}

async function insertSale(database: CommitmentsDatabase, transaction: Tx, sale: NewSale): Promise<SaleWithState> {
  const state = newSaleState(newGeneration(), sale.definition.source !== undefined);
  await transaction
    .insertInto("sale")
    .values({
      sale: bytesOfHex(sale.uuid),
      tenancy: sale.tenancy,
      owner: sale.ownerAccountUuid === "" ? null : bytesOfHex(sale.ownerAccountUuid),
      created_at_ms: database.dialect.nowMillis,
      definition: encodeDefinition(sale.definition),
      definition_version: 1n,
    })
    .execute();
  await transaction
    .insertInto("sale_state")
    .values(encodeSaleState(sale.uuid, state, newWriteToken()))
    .execute();
  return readSaleWithState(transaction, sale.uuid);
}

function isUntouched({ sale, state }: SaleWithState, { tenancy, definition, ownerAccountUuid }: NewSale): boolean {
  return (
    state.status === "draft" &&
    sale.definitionVersion === 1n &&
    sale.tenancy === tenancy &&
    sale.ownerAccountUuid === ownerAccountUuid &&
    isDeepStrictEqual(sale.definition, definition)
  );
}

/** Sales by UUID ascending, after that of `after` (empty: from the start). */
export async function listSales(
  database: CommitmentsDatabase,
  { after, limit, status }: { readonly after: string; readonly limit: number; readonly status?: SaleStatus },
): Promise<readonly SaleWithState[]> {
  return database.read(async (connection) => {
    const query = connection
      .selectFrom("sale")
      .innerJoin("sale_state", "sale_state.sale", "sale.sale")
      .selectAll()
      .where("sale.sale", ">", bytesOfHex(after))
      .orderBy("sale.sale")
      .limit(limit);
    const rows = await (status === undefined ? query : query.where("status", "=", status)).execute();
    const sales = rows.map((row) => ({ sale: decodeSale(row), state: decodeSaleState(row) }));
    const uuids = sales.map(({ sale }) => sale.uuid);
    const statuses = await readSourceStatuses(connection, uuids);
    return sales.map((sale) => withSourceStatus(sale, statuses));
  });
}

/**
 * Replaces the definition by what `decide` makes of the sale as it is. `decide` runs before the sale is locked: it may
 * take its time.
 *
 * @throws ServiceError `not_found`, `aborted` where the definition's version isn't `expectedVersion`, or the status is
 *   changed meanwhile; `failed_precondition` while a change set is open; and whatever `decide` throws.
 */
export async function updateSale(
  database: CommitmentsDatabase,
  saleUuid: string,
  expectedVersion: bigint,
  decide: (sale: Sale, state: SaleState) => Promise<SaleDefinition> | SaleDefinition,
): Promise<SaleWithState> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireVersion(seen.sale, expectedVersion);
  const definition = await decide(seen.sale, seen.state);
  return changeSale(database, saleUuid, async ({ transaction, sale, state }) => {
    requireNoChangeSet(state);
    requireVersion(sale, expectedVersion);
    requireSameStatus(seen.state, state);
    if (isDeepStrictEqual(definition, sale.definition)) return { state, result: () => ({ sale, state }) };
    const changed: Sale = { ...sale, definition, definitionVersion: sale.definitionVersion + 1n };
    await storeDefinition(transaction, changed);
    return {
      state: state.status === "draft" ? { ...state, hasSnapshot: definition.source === undefined } : state,
      update: { definition },
      result: (next) => ({ sale: changed, state: next }),
    };
  });
}

function requireVersion({ definitionVersion }: Sale, expected: bigint): void {
  if (definitionVersion === expected) return;
  throw new ServiceError("aborted", `the definition is at version ${definitionVersion}; read it again`);
}

function requireSameStatus(before: SaleState, { status }: SaleState): void {
  if (before.status === status) return;
  throw new ServiceError("aborted", `the sale has become ${status} meanwhile; read it again`);
}

async function storeDefinition(transaction: Tx, { uuid, definition, definitionVersion }: Sale): Promise<void> {
  await transaction
    .updateTable("sale")
    .set({ definition: encodeDefinition(definition), definition_version: definitionVersion })
    .where("sale", "=", bytesOfHex(uuid))
    .execute();
}

/**
 * Opens a draft. `admit`, which may refuse by throwing, runs before the sale is locked: it may take its time.
 *
 * @throws ServiceError `not_found`, `failed_precondition` where the sale is no draft, `aborted` where its definition is
 *   changed meanwhile, and whatever `admit` throws.
 */
export async function openSale(
  database: CommitmentsDatabase,
  saleUuid: string,
  admit: (sale: Sale) => Promise<void>,
): Promise<SaleWithState> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireDraft(seen.state);
  await admit(seen.sale);
  return changeStatus(database, saleUuid, ({ sale, state }) => {
    requireDraft(state);
    requireVersion(sale, seen.sale.definitionVersion);
    return { ...state, status: "open" };
  });
}

function requireDraft({ status }: SaleState): void {
  if (status === "draft") return;
  throw new ServiceError("failed_precondition", `the sale is ${status} already`);
}

/**
 * Settles an open sale. `admit` runs before the sale is locked, and only where it could be settled.
 *
 * @throws ServiceError `not_found`, `failed_precondition` where the sale isn't open or its contract tells its stage, and
 *   whatever `admit` throws.
 */
export async function settleSale(
  database: CommitmentsDatabase,
  saleUuid: string,
  admit: () => Promise<void>,
): Promise<SaleWithState> {
  const seen = await database.snapshot((transaction) => readSaleWithState(transaction, saleUuid));
  requireSettleable(seen.state);
  await admit();
  return changeStatus(database, saleUuid, ({ state }) => {
    requireSettleable(state);
    return { ...state, status: "settled", settleCount: state.settleCount + 1n };
  });
}

/**
 * Begins a new generation of a sale. Whoever has read it before, perhaps at a revision that a restored database doesn't know,
 * believes what comes from now on.
 *
 * @throws ServiceError `not_found`.
 */
export async function renewGeneration(database: CommitmentsDatabase, saleUuid: string): Promise<SaleState> {
  const generation = newGeneration();
  return changeSale(database, saleUuid, async ({ state: before }) => {
    // Readers of a draft there are none, and those of a sale with an open change set get the body from before it.
    const isShown = before.status !== "draft" && before.changeSet === undefined;
    return { state: { ...before, generation }, ...(isShown && { update: {} }), result: (state) => state };
  });
}

function newGeneration(): string {
  return randomBytes(GENERATION_BYTES).toString("hex");
}

function requireSettleable(state: SaleState): void {
  requireNoChangeSet(state);
  if (state.status !== "open") throw new ServiceError("failed_precondition", `the sale is ${state.status}, not open`);
  if (state.stage !== undefined) {
    throw new ServiceError("failed_precondition", "the sale's contract tells when it is settled");
  }
}

async function changeStatus(
  database: CommitmentsDatabase,
  saleUuid: string,
  decide: (locked: LockedSale) => SaleState,
): Promise<SaleWithState> {
  return changeSale(database, saleUuid, async (locked) => ({
    state: decide(locked),
    update: {},
    result: (state) => ({ sale: locked.sale, state }),
  }));
}

function requireNoChangeSet({ changeSet }: SaleState): void {
  if (changeSet === undefined) return;
  throw new ServiceError("failed_precondition", `change set ${changeSet.uuid} is open; finish it first`);
}

/** The revisions of those of the sales that readers can read now. */
export async function getRevisions(
  database: CommitmentsDatabase,
  saleUuids: readonly string[],
): Promise<readonly { readonly saleUuid: string; readonly generation: string; readonly revision: bigint }[]> {
  const rows = await database.read((connection) =>
    connection
      .selectFrom("sale_state")
      .select(["sale", "generation", "revision"])
      .where("sale", "in", saleUuids.map(bytesOfHex))
      .where("status", "!=", "draft")
      .where("has_snapshot", "=", 1)
      .execute(),
  );
  return rows.map((row) => ({
    saleUuid: uuidFromBytes(row.sale),
    generation: hexOfBytes(row.generation),
    revision: bigintOf(row.revision),
  }));
}
