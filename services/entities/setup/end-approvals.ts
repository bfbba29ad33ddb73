import type { Transaction } from "kysely";
import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import { APPROVAL_WARNING_MS } from "../base/lifetimes.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntity, updateEntityRow } from "../entities/entities-store.ts";
import { storeNotice } from "../notices/notices-store.ts";
import { readEndingApprovals, storeWarned } from "./approvals-store.ts";
import { reportedStateOf } from "./setup-outcome.ts";

const BATCH = 100;

type Dependencies = Pick<EntitiesContext, "database" | "clock">;

/** Mails the persons of entities whose approvals end soon, and ends those that are over, with a mail as well. */
export async function endApprovals({ database, clock }: Dependencies, signal: AbortSignal): Promise<void> {
  const nowMs = clock();
  const due = await database.read(async (query) => [
    ...(await readEndingApprovals(query, { warned: false, untilMs: nowMs + APPROVAL_WARNING_MS, limit: BATCH })),
    ...(await readEndingApprovals(query, { warned: true, untilMs: nowMs, limit: BATCH })),
  ]);
  const end = (entityUuid: string) =>
    database.write((transaction) => advance(transaction, database.dialect, entityUuid, nowMs));
  await eachApart(due, end, signal);
}

async function advance(
  transaction: Transaction<EntitiesSchema>,
  dialect: SqlDialect,
  entityUuid: string,
  nowMs: bigint,
): Promise<void> {
  const entity = await lockEntity(transaction, dialect, entityUuid);
  const expiresAtMs = entity?.approvalExpiresAtMs;
  if (entity === undefined || expiresAtMs === undefined || expiresAtMs > nowMs + APPROVAL_WARNING_MS) return;
  const expired = expiresAtMs <= nowMs;
  if (expired) await updateEntityRow(transaction, ended(entity));
  await storeWarned(transaction, entityUuid, !expired);
  const { label, accountUuid } = entity;
  const end = { expiresAtMs: Number(expiresAtMs), expired };
  const notice = { kind: "approval_expiry", entityUuid, label, ...end } as const;
  await storeNotice(transaction, accountUuid, notice, nowMs);
}

function ended(entity: Entity): Entity {
  const gone = { reportedState: reportedStateOf(entity), provider: undefined, approvalExpiresAtMs: undefined };
  return { ...entity, ...gone, setupState: "not_started", setupReason: "", version: entity.version + 1n };
}
