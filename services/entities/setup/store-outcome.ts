import type { Transaction } from "kysely";
import type { Entity } from "../base/entity.ts";
import { APPROVAL_WARNING_MS } from "../base/lifetimes.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { updateEntityRow } from "../entities/entities-store.ts";
import type { Notice } from "../notices/notices-store.ts";
import { storeNotice } from "../notices/notices-store.ts";
import { storeWarned } from "./approvals-store.ts";
import { applyOutcome, type OutcomeSource, type SetupOutcome } from "./setup-outcome.ts";

/** Stores what a provider decided about an entity, which the transaction must have locked, and the mail about it. */
export async function storeOutcome(
  transaction: Transaction<EntitiesSchema>,
  entity: Entity,
  outcome: SetupOutcome,
  source: OutcomeSource,
  nowMs: bigint,
): Promise<Entity> {
  const after = applyOutcome(entity, outcome, source);
  await updateEntityRow(transaction, after);
  // An approval for a shorter time needs no warning: the mail about the decision came just now.
  const endsSoon = after.approvalExpiresAtMs !== undefined && after.approvalExpiresAtMs <= nowMs + APPROVAL_WARNING_MS;
  await storeWarned(transaction, entity.uuid, endsSoon);
  const notice = noticeOf(entity, outcome);
  if (notice !== undefined) await storeNotice(transaction, entity.accountUuid, notice, nowMs);
  return after;
}

/** Returns the mail about an outcome. Decisions are mailed, and that a check has ended without one for a reason. */
function noticeOf(
  { uuid: entityUuid, label }: Pick<Entity, "uuid" | "label">,
  outcome: SetupOutcome,
): Notice | undefined {
  if (outcome.kind === "progress" && outcome.reason === undefined) return undefined;
  if (outcome.kind === "progress" && outcome.isQuestion) {
    return { kind: "review_question", entityUuid, label, question: outcome.reason ?? "" };
  }
  const { reason = "", final = false }: { reason?: string; final?: boolean } =
    outcome.kind === "approved" ? {} : outcome;
  return {
    kind: "setup_decided",
    entityUuid,
    label,
    approved: outcome.kind === "approved",
    reason,
    final,
    unfinished: outcome.kind === "progress",
  };
}
