import { randomBytes } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { ExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { SetupOutcome } from "./setup-outcome.ts";

/** A reviewer's decision about an entity. */
export interface RecordedDecision {
  /** The entity before the decision. */
  readonly entity: Pick<Entity, "uuid" | "submittedAtMs">;
  readonly by: Principal;
  readonly outcome: SetupOutcome;
}

const EVENTS = { approved: "review.approved", refused: "review.refused", progress: "review.asked" } as const;

const TIME_BYTES = 6;
const RANDOM_BYTES = 10;

/**
 * Records who has decided about an entity, and what, without reason, reference and country, which are personal. Call it in the
 * transaction of the decision, so that both are committed or neither is.
 */
export async function recordDecision(
  transaction: Transaction<EntitiesSchema>,
  { entity, by, outcome }: RecordedDecision,
  nowMs: bigint,
): Promise<void> {
  const row = {
    event_id: eventId(nowMs),
    at_ms: nowMs,
    event: EVENTS[outcome.kind],
    entity: bytesOfHex(entity.uuid),
    account: by.kind === "person" ? bytesOfHex(by.accountUuid) : null,
    details: JSON.stringify({ ...detailsOf(outcome), waitedMs: Number(nowMs - (entity.submittedAtMs ?? nowMs)) }),
  };
  await transaction.insertInto("entity_audit").values(row).execute();
}

/** A reviewer's decision as it is kept. */
export interface KeptDecision {
  readonly entityUuid: string;
  readonly atMs: bigint;
  readonly approved: boolean;
  /** Whether the user was asked instead. */
  readonly asked: boolean;
  /** The account that has decided; undefined for an operator. */
  readonly accountUuid?: string | undefined;
  /** Milliseconds since 1970; undefined for a refusal, and for an approval without an end. */
  readonly approvalExpiresAtMs?: number | undefined;
  /** Whether a refusal is for good. */
  readonly final: boolean;
}

/** Returns the decisions about entities, the newest first. */
export async function readDecisions(
  query: Kysely<EntitiesSchema>,
  entityUuids: readonly string[],
  limit: number,
): Promise<readonly KeptDecision[]> {
  if (entityUuids.length === 0) return [];
  const rows = await query
    .selectFrom("entity_audit")
    .select(["entity", "at_ms", "event", "account", "details"])
    .where("entity", "in", entityUuids.map(bytesOfHex))
    .orderBy("at_ms", "desc")
    .orderBy("event_id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ entity, at_ms, event, account, details }) => {
    const { expires, final = false } = JSON.parse(details) as { readonly expires?: string; readonly final?: boolean };
    return {
      entityUuid: uuidFromBytes(entity),
      atMs: BigInt(at_ms),
      approved: event === "review.approved",
      asked: event === "review.asked",
      accountUuid: account === null ? undefined : uuidFromBytes(account),
      approvalExpiresAtMs: expires === undefined ? undefined : Date.parse(expires),
      final,
    };
  });
}

/** Decisions of which the median is taken, and the fewest of which anything is said. */
const USUAL_DECISIONS = { most: 20, fewest: 3 };

/** Returns the median of how long the last approvals and refusals have taken, in milliseconds; undefined where there are too few. */
export async function readUsualWaitMs(query: Kysely<EntitiesSchema>): Promise<number | undefined> {
  const rows = await query
    .selectFrom("entity_audit")
    .select("details")
    .where("event", "in", ["review.approved", "review.refused"])
    .orderBy("at_ms", "desc")
    .limit(USUAL_DECISIONS.most)
    .execute();
  const waits = rows.flatMap(({ details }) => (JSON.parse(details) as { readonly waitedMs?: number }).waitedMs ?? []);
  return waits.length < USUAL_DECISIONS.fewest ? undefined : median(waits);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.round((low + high) / 2);
}

export function expiredDecisions(nowMs: bigint, retentionMs: bigint): ExpiredRows {
  return { table: "entity_audit", ageColumn: "at_ms", cutoff: nowMs - retentionMs };
}

function detailsOf(outcome: RecordedDecision["outcome"]): Readonly<Record<string, string | boolean>> {
  if (outcome.kind === "progress") return {};
  if (outcome.kind === "refused") return { final: outcome.final };
  const { expiresAtMs } = outcome;
  return expiresAtMs === undefined ? {} : { expires: new Date(Number(expiresAtMs)).toISOString() };
}

/** Returns an ID that rises with time, so that new rows lie next to each other. */
export function eventId(nowMs: bigint): Buffer {
  const bytes = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);
  bytes.writeUIntBE(Number(nowMs), 0, TIME_BYTES);
  randomBytes(RANDOM_BYTES).copy(bytes, TIME_BYTES);
  return bytes;
}
