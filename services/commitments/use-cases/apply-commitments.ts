import type { SqlDialect } from "../../shared/db/sql/dialect.ts";
import { ServiceError } from "../../shared/errors/service-error.ts";
import { admitApply } from "../domain/apply/admit-apply.ts";
import { type ApplyPlan, type IncomingCommitment, planApply, type StoredCommitment } from "../domain/apply/apply.ts";
import { checkRowCount } from "../domain/apply/check-apply.ts";
import { type ApplyPayload, type PreparedApply, prepareApply } from "../domain/apply/prepare-apply.ts";
import { visibleChanges } from "../domain/apply/visible-changes.ts";
import type { ExtraDataParser } from "../domain/extra-data/extra-data.ts";
import { activeStandings } from "../domain/figures/counting-class.ts";
import { type SaleState, withStage } from "../domain/sale/sale-state.ts";
import { appliedRequestOf, insertAppliedRequest, selectAppliedRequest } from "../store/apply/apply-request.ts";
import { changeSale, type NoChange, type SaleChange } from "../store/apply/change-sale.ts";
import type { ReadAhead } from "../store/apply/lock-sale.ts";
import type { LockedSale } from "../store/apply/locked-sale.ts";
import { type KnownSale, knownSale } from "../store/read/last-seen-sales.ts";
import { readSaleWithState } from "../store/read/read-sale.ts";
import { freeze, readRowsSnapshot, unfreeze } from "../store/read/sale-snapshot.ts";
import { BATCH_SIZE } from "../store/sql/batches.ts";
import {
  deleteCommitments,
  insertCommitments,
  insertRows,
  readStored,
  selectStored,
  storedOf,
  upsertCommitments,
} from "../store/sql/commitment-rows.ts";
import { nodesAbove, pathTo } from "../store/sql/sale-nodes.ts";
import type { CommitmentsDatabase } from "../store/sql/schema.ts";

export interface ApplyRequest extends ApplyPayload {
  readonly saleUuid: string;
  readonly requestId: string;
}

export interface ApplyOptions {
  /** Upserts and removals in one call, at most. */
  readonly maxRows: number;
  /** The parser of extra data for a parameter list: what is applied is told to readers as they are shown it. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
}

export interface ApplyResult {
  readonly generation: string;
  readonly revision: bigint;
  /** The request had been applied before; nothing was done now. */
  readonly repeated: boolean;
}

/**
 * Applies a difference to a sale: rows, sums, stage and revision change together or not at all.
 *
 * @throws ServiceError `invalid_argument`, `not_found`, `already_exists`, `failed_precondition`, `aborted`, `unavailable`.
 */
export async function applyCommitments(
  database: CommitmentsDatabase,
  request: ApplyRequest,
  { maxRows, extraDataParser }: ApplyOptions,
): Promise<ApplyResult> {
  checkRowCount(request.upserts.length + request.removals.length, maxRows);
  // Before the sale is locked: it takes time in which the database can work on another apply of the same sale.
  const { known, prepared } = await prepare(database, request);
  const parse = await extraDataParser(known.definition.extraDataParameters);
  const change = async (locked: LockedSale) => {
    const isCurrent = locked.sale.definition === known.definition;
    const { incoming, hash } = isCurrent ? prepared : prepareApply(locked.sale.definition, request);
    const applied = appliedRequestOf(locked.ahead[0] ?? []);
    if (applied !== undefined) return repeated(locked.state, applied, hash, request.requestId);
    admitApply(locked.sale, locked.state, request);
    const present = isCurrent ? parse : await extraDataParser(locked.sale.definition.extraDataParameters);
    return applyAdmitted(database, locked, request, { incoming, hash }, present);
  };
  return changeSale(database, request.saleUuid, change, {
    readAhead: () => readAhead(database, request, known),
    goesByMemory: mayGoByMemory(request),
  });
}

/**
 * With the sale as this process last saw it; where that won't do, as it is now. Whether it still is so is found out when it
 * is locked.
 */
async function prepare(
  database: CommitmentsDatabase,
  request: ApplyRequest,
): Promise<{ readonly known: KnownSale; readonly prepared: PreparedApply }> {
  const seen = knownSale(database, request.saleUuid);
  try {
    if (seen !== undefined) return { known: seen, prepared: prepareApply(seen.definition, request) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  const { sale, state } = await database.snapshot((transaction) => readSaleWithState(transaction, request.saleUuid));
  return { known: { definition: sale.definition, state }, prepared: prepareApply(sale.definition, request) };
}

/** Rows of a request whose nodes are read with the lock; of more, they are read batch by batch as they are written. */
const ROWS_AHEAD = 50;

/**
 * A few commitments, which are then inserted, as most are new; where one of them isn't, or the request was applied before, the
 * database refuses that, and the sale is read.
 */
function mayGoByMemory({ upserts, removals, changeSet }: ApplyRequest): boolean {
  const isSmall = upserts.length > 0 && upserts.length <= ROWS_AHEAD;
  return isSmall && removals.length === 0 && changeSet === undefined;
}

/** What the request will want to know where the sale is as it was; what turns out to be missing is read later. */
function readAhead(
  database: CommitmentsDatabase,
  { saleUuid, requestId, upserts, removals }: ApplyRequest,
  { definition, state }: KnownSale,
): ReadAhead {
  const { dialect } = database;
  const { pricing } = definition;
  const ids = [...upserts.map(({ commitmentId }) => commitmentId), ...removals];
  const readsStored = looksBefore(state, removals) && ids.length > 0 && ids.length <= BATCH_SIZE;
  const path = pricing.kind === "auction" ? pathTo(state.clearingTick ?? pricing.floorTicks) : NO_PATH;
  const touched = pricing.kind === "auction" && upserts.length <= ROWS_AHEAD ? upserts : [];
  const keys = nodesAbove(touched.map(({ priceTicks }) => priceTicks));
  return {
    nodes: { standings: activeStandings(state, definition.cancelledKeepsAmounts), ...path, keys },
    statements: [
      selectAppliedRequest(database, saleUuid, requestId),
      ...(readsStored ? [selectStored(dialect, saleUuid, ids)] : []),
    ],
  };
}

const NO_PATH = { childrenOf: [] };

/** Of a sale that isn't read whole yet most rows are new; they are inserted without looking. */
function looksBefore({ hasSnapshot }: SaleState, removals: readonly string[]): boolean {
  return hasSnapshot || removals.length > 0;
}

function repeated(
  state: SaleState,
  applied: { readonly payloadHash: string; readonly revision: bigint },
  hash: string,
  requestId: string,
): NoChange<ApplyResult> {
  if (applied.payloadHash !== hash) {
    throw new ServiceError("already_exists", `request ID ${requestId} was used with another payload`);
  }
  return { unchanged: { generation: state.generation, revision: applied.revision, repeated: true } };
}

async function applyAdmitted(
  database: CommitmentsDatabase,
  locked: LockedSale,
  request: ApplyRequest,
  { incoming, hash }: PreparedApply,
  parse: ExtraDataParser,
): Promise<SaleChange<ApplyResult>> {
  const { sale, state: before, nowMillis, nodes, writes } = locked;
  const { definition } = sale;
  const target = withStage(afterAbandoned(before, request), request.stage);
  if (beginsHidden(before, request)) await freezeBody(database.dialect, locked);
  const figures = await nodes.total(activeStandings(before, definition.cancelledKeepsAmounts));
  const plan = await writeDifference(database, locked, request, incoming, target);
  const finishes = request.changeSet === undefined || request.changeSet.last;
  if (finishes && before.changeSet !== undefined) await unfreeze(locked.transaction, sale.uuid);
  const visible = finishes && (plan.visible || isNews(before, target));
  const revision = visible ? before.revision + 1n : before.revision;
  const applied = { payloadHash: hash, revision, nowMillis };
  await writes.add([insertAppliedRequest(database, sale.uuid, request.requestId, applied)]);
  const isTellable = visible && !isNews(before, target);
  const changes = isTellable ? visibleChanges(plan, { definition, state: target, before: figures }, parse) : undefined;
  return {
    state: finishes ? finished(target, request) : unfinished(afterAbandoned(before, request), request),
    ...(visible ? { update: { changes } } : {}),
    result: ({ generation }) => ({ generation, revision, repeated: false }),
  };
}

/**
 * A set that was to settle the sale, abandoned by one that doesn't, has used up the number of its settlement: its rows may
 * stand, and must not count in the next one.
 */
function afterAbandoned(before: SaleState, { changeSet, stage }: ApplyRequest): SaleState {
  const { changeSet: open, status } = before;
  const isAbandoned = open !== undefined && open.uuid !== changeSet?.uuid;
  if (!isAbandoned || open.stage !== "done" || stage === "done" || status === "settled") return before;
  return { ...before, settleCount: before.settleCount + 1n };
}

/** Part 0 of a set of several parts hides what follows; a body that is hidden already stays as it is. */
function beginsHidden(before: SaleState, { changeSet }: ApplyRequest): boolean {
  return changeSet !== undefined && !changeSet.last && before.changeSet === undefined && before.hasSnapshot;
}

async function freezeBody(dialect: SqlDialect, { transaction, sale, state }: LockedSale): Promise<void> {
  await freeze(transaction, sale.uuid, await readRowsSnapshot(transaction, dialect, sale, state));
}

async function writeDifference(
  database: CommitmentsDatabase,
  locked: LockedSale,
  { removals }: ApplyRequest,
  incoming: readonly IncomingCommitment[],
  target: SaleState,
): Promise<ApplyPlan> {
  const { sale, state: before, nodes, writes } = locked;
  const { dialect } = database;
  const planFor = (stored: ReadonlyMap<string, StoredCommitment>) =>
    planApply({
      incoming,
      removals,
      stored,
      state: target,
      cancelledKeepsAmounts: sale.definition.cancelledKeepsAmounts,
      ticksMatter: sale.definition.pricing.kind === "auction",
    });
  const ifNew = locked.isFromMemory || !looksBefore(before, removals) ? planFor(new Map()) : undefined;
  if (ifNew !== undefined && (await insertNew(database, locked, ifNew.rows))) {
    await writes.add(await nodes.add(ifNew.tickChanges));
    return ifNew;
  }
  const plan = planFor(await storedBefore(database, locked, incoming, removals));
  await writes.add(deleteCommitments(dialect, sale.uuid, plan.removals));
  await writes.add(upsertCommitments(dialect, sale.uuid, plan.rows));
  await writes.add(await nodes.add(plan.tickChanges));
  return plan;
}

/** Inserts commitments without having looked. @returns false where one is stored already: nothing was inserted then */
async function insertNew(database: CommitmentsDatabase, locked: LockedSale, rows: ApplyPlan["rows"]): Promise<boolean> {
  const { sale, writes, isFromMemory } = locked;
  if (!isFromMemory) return insertRows(database, locked.transaction, sale.uuid, rows);
  // Where one of them is stored the whole message fails.
  await writes.add(insertCommitments(database.dialect, sale.uuid, rows));
  return true;
}

async function storedBefore(
  database: CommitmentsDatabase,
  { transaction, sale, ahead }: LockedSale,
  incoming: readonly IncomingCommitment[],
  removals: readonly string[],
): Promise<ReadonlyMap<string, StoredCommitment>> {
  const [, found] = ahead;
  if (found !== undefined) return storedOf(found);
  const ids = [...incoming.map(({ record }) => record.commitmentId), ...removals];
  return readStored(database, transaction, sale.uuid, ids);
}

/** Whether readers see something else though no row differs: another status, the first snapshot, the end of a set. */
function isNews(before: SaleState, after: SaleState): boolean {
  return before.status !== after.status || !before.hasSnapshot || before.changeSet !== undefined;
}

function finished(target: SaleState, { sourcePosition }: ApplyRequest): SaleState {
  const { changeSet: _, ...state } = target;
  return { ...state, hasSnapshot: true, ...(sourcePosition === undefined ? {} : { sourcePosition }) };
}

function unfinished(before: SaleState, { changeSet, stage }: ApplyRequest): SaleState {
  if (changeSet === undefined) return before;
  const nextPart = changeSet.part + 1;
  return { ...before, changeSet: { uuid: changeSet.uuid, nextPart, ...(stage === undefined ? {} : { stage }) } };
}
