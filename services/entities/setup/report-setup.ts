import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Transaction } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import { lockSaleUnlessErased } from "../base/lock-sale.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntity } from "../entities/entities-store.ts";
import { type Callback, parseCallback, verifyCallback } from "./callback.ts";
import { noteCallback } from "./callbacks-store.ts";
import { findHandle, type HandleSubject } from "./handles-store.ts";
import { readLiveness, storeLiveness } from "./liveness-store.ts";
import { bindReference, findReference } from "./references-store.ts";
import { approvalEnd, reportTime, type SetupOutcome, supersedes } from "./setup-outcome.ts";
import { storeOutcome } from "./store-outcome.ts";

/** The reason of a refusal that this service makes itself: one identity would count twice. */
const REFERENCE_TAKEN = "This identity was used for another entity already.";

export function reportSetup(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["reportSetup"] {
  const { clock, identity } = dependencies;
  return async (request) => {
    if (identity.vendor === undefined) throw new ServiceError("not_found", "this deployment takes no callbacks");
    const nowMs = clock();
    const callback = parseCallback(verifyCallback(identity.vendor, request), nowMs);
    if (callback !== undefined) await takeCallback(dependencies, request.webhookId, callback, nowMs);
    return {};
  };
}

/** Stores what a callback reports, unless it was received before, is superseded by the stored state, or is of no entity. */
async function takeCallback(
  dependencies: EntitiesContext,
  webhookId: string,
  callback: Callback,
  nowMs: bigint,
): Promise<void> {
  const { database } = dependencies;
  const subject = await database.read((query) => subjectOf(dependencies, query, callback, nowMs));
  if (subject === undefined) return;
  const { saleUuid } = subject;
  const take = () =>
    // Two callbacks may name the same reference at once: the later one runs again and finds it.
    database.writeLocked((transaction) => takeOf(dependencies, transaction, subject, { webhookId, callback, nowMs }));
  await (saleUuid === undefined ? take() : database.runExclusive(saleUuid, take));
}

interface ReceivedCallback {
  readonly webhookId: string;
  readonly callback: Callback;
  readonly nowMs: bigint;
}

async function takeOf(
  dependencies: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  subject: HandleSubject,
  { webhookId, callback, nowMs }: ReceivedCallback,
): Promise<void> {
  const { dialect } = dependencies.database;
  const { entityUuid, saleUuid } = subject;
  // A vendor may say long after a sale's erasure who was present for it.
  if (saleUuid !== undefined && !(await lockSaleUnlessErased(transaction, dialect, saleUuid))) return;
  const entity = await lockEntity(transaction, dialect, entityUuid);
  if (entity === undefined || !(await noteCallback(transaction, webhookId, nowMs))) return;
  const occurredAtMs = reportTime(callback.occurredAtMs, nowMs);
  if (callback.kind === "liveness") return takeLiveness(dependencies, transaction, subject, occurredAtMs);
  if (saleUuid !== undefined) return;
  const source = { provider: "webhook", occurredAtMs } as const;
  // An approval that changes nothing takes its reference all the same, as it would have done by arriving earlier.
  const outcome = await outcomeOf(dependencies, transaction, entity, callback, occurredAtMs);
  if (supersedes(entity, outcome, source)) await storeOutcome(transaction, entity, outcome, source, nowMs);
}

async function subjectOf(
  { derivedKeys }: EntitiesContext,
  query: Kysely<EntitiesSchema>,
  { handle, reference }: Callback,
  nowMs: bigint,
): Promise<HandleSubject | undefined> {
  if (handle !== "") return findHandle(query, handle, nowMs);
  const entityUuid = await findReference(query, derivedKeys, { provider: "webhook", reference });
  return entityUuid === undefined ? undefined : { entityUuid };
}

async function takeLiveness(
  { database }: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  { entityUuid, saleUuid }: HandleSubject,
  provedAtMs: bigint,
): Promise<void> {
  // The handle of a set-up is for no sale.
  if (saleUuid === undefined) return;
  const storedAtMs = (await readLiveness(transaction, entityUuid)).get(saleUuid) ?? 0n;
  if (provedAtMs <= storedAtMs) return;
  await storeLiveness(transaction, database.dialect, { saleUuid, entityUuid, provedAtMs });
}

async function outcomeOf(
  { derivedKeys, identity }: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  entity: Entity,
  { state, reason, reference, country, approvalEndsAtMs }: Callback,
  decidedAtMs: bigint,
): Promise<SetupOutcome> {
  switch (state) {
    case "complete": {
      const isOwn = await bindReference(transaction, derivedKeys, { provider: "webhook", reference }, entity.uuid);
      if (!isOwn) return { kind: "refused", reason: REFERENCE_TAKEN, final: false };
      const expiresAtMs = approvalEnd(approvalEndsAtMs, identity.approvalLifetimeMs, decidedAtMs);
      return { kind: "approved", country, expiresAtMs };
    }
    case "failure":
    case "failure_final":
      return { kind: "refused", reason, final: state === "failure_final" };
    default:
      return { kind: "progress", state };
  }
}
