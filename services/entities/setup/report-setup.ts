import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely, Transaction } from "kysely";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import { SETUP_REASONS } from "../../../common/sale/words/setup-reasons.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity, SetupState } from "../base/entity.ts";
import type { VendorProtocol } from "../base/identity-config.ts";
import { lockSaleUnlessErased } from "../base/lock-sale.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntity, updateEntityRow } from "../entities/entities-store.ts";
import type { Callback, CallbackReader } from "./callback.ts";
import { noteCallback } from "./callbacks-store.ts";
import { findHandle, type HandleSubject } from "./handles-store.ts";
import { readLiveness, storeLiveness } from "./liveness-store.ts";
import { readPersonaEvent } from "./persona.ts";
import { bindReference, findReference } from "./references-store.ts";
import { approvalEnd, reportTime, type SetupOutcome, supersedes } from "./setup-outcome.ts";
import { readStandardWebhook } from "./standard-webhooks.ts";
import { storeOutcome } from "./store-outcome.ts";

const READERS: Readonly<Record<VendorProtocol, CallbackReader>> = {
  "standard-webhooks": readStandardWebhook,
  persona: readPersonaEvent,
};

/** The effect of a callback that the vendor has signed: it has changed something, nothing, or was of nothing that is known here. */
type CallbackResult = "applied" | "unchanged" | "ignored";

export function reportSetup(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["reportSetup"] {
  const { clock, identity, setupMetrics, logger } = dependencies;
  return async (request) => {
    const { vendor } = identity;
    if (vendor === undefined) throw new ServiceError("not_found", "this deployment takes no callbacks");
    const nowMs = clock();
    try {
      const { messageId, callback } = READERS[vendor.protocol](vendor, request, nowMs);
      const result =
        callback === undefined ? "ignored" : await takeCallback(dependencies, { messageId, callback, nowMs });
      // The person is told already; the vendor, and the operator by the log, are told here, at each attempt.
      const { identityProblems = [] } = callback ?? {};
      if (identityProblems.length > 0) throw invalidArgument(identityProblems);
      setupMetrics.callbacks.inc({ result });
      return {};
    } catch (error) {
      const result = resultOfRefusal(error);
      setupMetrics.callbacks.inc({ result });
      // The message of an invalid one names fields of a body that the vendor has signed, and no values.
      if (result === "invalid") logger.warn({ err: error }, "a callback of the identity vendor is invalid");
      throw error;
    }
  };
}

function resultOfRefusal(error: unknown): "unsigned" | "invalid" | "failed" {
  if (!(error instanceof ServiceError)) return "failed";
  if (error.code === "unauthenticated") return "unsigned";
  return error.code === "invalid_argument" ? "invalid" : "failed";
}

interface ReadCallback {
  readonly messageId: string;
  readonly callback: Callback;
  readonly nowMs: bigint;
}

/** Stores what a callback reports, unless it was received before, is superseded by the stored state, or is of no entity. */
async function takeCallback(dependencies: EntitiesContext, received: ReadCallback): Promise<CallbackResult> {
  const { database, logger } = dependencies;
  const { callback, nowMs } = received;
  const subject = await database.read((query) => subjectOf(dependencies, query, callback, nowMs));
  if (subject === undefined) return "ignored";
  const { saleUuid, entityUuid } = subject;
  const take = () =>
    // Two callbacks may name the same reference at once: the later one runs again and finds it.
    database.writeLocked((transaction) => takeOf(dependencies, transaction, subject, received));
  const isApplied = await (saleUuid === undefined ? take() : database.runExclusive(saleUuid, take));
  if (!isApplied) return "unchanged";
  const what = saleUuid === undefined ? { state: callback.state } : { presenceIn: saleUuid };
  logger.info({ entity: entityUuid, ...what }, "a callback of the identity vendor was applied");
  return "applied";
}

/** @returns whether it has changed anything */
async function takeOf(
  dependencies: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  subject: HandleSubject,
  { messageId, callback, nowMs }: ReadCallback,
): Promise<boolean> {
  const { dialect } = dependencies.database;
  const { entityUuid, saleUuid } = subject;
  // A vendor may say long after a sale's erasure who was present for it.
  if (saleUuid !== undefined && !(await lockSaleUnlessErased(transaction, dialect, saleUuid))) return false;
  const entity = await lockEntity(transaction, dialect, entityUuid);
  if (entity === undefined) return false;
  // What can't be used isn't noted: a repetition may have been mended.
  const isUsable = callback.identityProblems.length === 0;
  if (isUsable && !(await noteCallback(transaction, messageId, nowMs))) return false;
  const occurredAtMs = reportTime(callback, nowMs);
  if (callback.kind === "liveness") return takeLiveness(dependencies, transaction, entity, subject, occurredAtMs);
  if (saleUuid !== undefined) {
    if (callback.kind !== "by_handle") return false;
    return takePresence(dependencies, transaction, entity, { callback, saleUuid, occurredAtMs });
  }
  if (!isUsable && !WAITING.has(entity.setupState)) return false;
  const check = checkOf(dependencies, callback);
  if (!isUsable && isUnusableAgain(entity, check)) return false;
  const source = { provider: "webhook", occurredAtMs, check, isOfEntity: callback.handle === "" } as const;
  // An approval that changes nothing takes its reference all the same, as it would have done by arriving earlier.
  const outcome = await outcomeOf(dependencies, transaction, entity, callback, occurredAtMs);
  if (!supersedes(entity, outcome, source)) return false;
  await storeOutcome(transaction, entity, outcome, source, nowMs);
  return true;
}

/** Returns a keyed hash of what names the check of a callback: it may be a document's number. */
function checkOf({ derivedKeys }: EntitiesContext, { inquiry, handle, reference }: Callback): string {
  return hexOfBytes(macOf(derivedKeys.providerReference, "check", inquiry || handle || reference));
}

/** The states in which an approval that can't be used says that the check has ended. It takes no approval or refusal away. */
const WAITING: ReadonlySet<SetupState> = new Set(["in_progress", "ready_for_review", "in_review", "technical_issue"]);

/**
 * Whether the person knows already that an approval can't be used, or has begun again since. The time doesn't tell: each repetition
 * from a clock that is ahead counts as of now.
 */
function isUnusableAgain({ setupState, setupReason, reportedState, reportedCheck }: Entity, check: string): boolean {
  if (setupState === "technical_issue" && setupReason === SETUP_REASONS.unusable) return true;
  return reportedState === "technical_issue" && reportedCheck === check;
}

/** The end of a check that was begun for one sale. */
interface PresenceCheck {
  readonly callback: Callback;
  readonly saleUuid: string;
  readonly occurredAtMs: bigint;
}

/**
 * Takes an approval for one sale as a proof of presence: only who was approved for this entity is present for it. Otherwise the
 * person reads why not.
 */
async function takePresence(
  dependencies: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  entity: Entity,
  { callback, saleUuid, occurredAtMs }: PresenceCheck,
): Promise<boolean> {
  const subject = { entityUuid: entity.uuid, saleUuid };
  if (await isOwnApproval(dependencies, transaction, entity.uuid, callback)) {
    return takeLiveness(dependencies, transaction, entity, subject, occurredAtMs);
  }
  const reason = presenceReason(callback);
  if (reason === "" || (await readLiveness(transaction, entity.uuid)).has(saleUuid)) return false;
  return storePresenceReason(transaction, entity, reason);
}

/** Returns why the end of a check proves no presence; empty while it goes on. */
function presenceReason({ state }: Callback): string {
  if (state === "complete") return SETUP_REASONS.otherDocument;
  return state === "failure" || state === "failure_final" ? SETUP_REASONS.presenceRefused : "";
}

/** Stores why presence wasn't proved, beside an approval: other states have reasons of their own. @returns whether that is new */
async function storePresenceReason(
  transaction: Transaction<EntitiesSchema>,
  entity: Entity,
  setupReason: string,
): Promise<boolean> {
  if (entity.setupState !== "complete" || entity.setupReason === setupReason) return false;
  await updateEntityRow(transaction, { ...entity, setupReason, version: entity.version + 1n });
  return true;
}

async function isOwnApproval(
  { derivedKeys }: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  entityUuid: string,
  { state, reference }: Callback,
): Promise<boolean> {
  if (state !== "complete") return false;
  return (await findReference(transaction, derivedKeys, { provider: "webhook", reference })) === entityUuid;
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
  entity: Entity,
  { entityUuid, saleUuid }: HandleSubject,
  provedAtMs: bigint,
): Promise<boolean> {
  // The handle of a set-up is for no sale.
  if (saleUuid === undefined) return false;
  const storedAtMs = (await readLiveness(transaction, entityUuid)).get(saleUuid) ?? 0n;
  if (provedAtMs <= storedAtMs) return false;
  await storeLiveness(transaction, database.dialect, { saleUuid, entityUuid, provedAtMs });
  await storePresenceReason(transaction, entity, "");
  return true;
}

async function outcomeOf(
  { derivedKeys, identity }: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  entity: Entity,
  { state, reason, reference, country, approvalEndsAtMs, identityProblems }: Callback,
  decidedAtMs: bigint,
): Promise<SetupOutcome> {
  if (identityProblems.length > 0)
    return { kind: "progress", state: "technical_issue", reason: SETUP_REASONS.unusable };
  switch (state) {
    case "complete": {
      const isOwn = await bindReference(transaction, derivedKeys, { provider: "webhook", reference }, entity.uuid);
      if (!isOwn) return { kind: "refused", reason: SETUP_REASONS.taken, final: false };
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
