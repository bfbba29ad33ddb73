import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { requireCountryCode } from "../../../common/platform/names/country.ts";
import { withoutOuterBlanks } from "../../../common/platform/names/hidden-characters.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { checkRecentSignIn } from "../../../common/platform/rpc/identity/recent-sign-in.ts";
import type {
  DecideReviewRequest,
  EntityService,
  ReviewApproval,
  ReviewQuestion,
} from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { Entity } from "../base/entity.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { lockEntity } from "../entities/entities-store.ts";
import { entityMessage } from "../entities/entity-message.ts";
import { checkVersion, entityNotFound } from "../entities/own-entity.ts";
import { type RecordedDecision, recordDecision } from "./audit-store.ts";
import { bindReference } from "./references-store.ts";
import { storeEntry } from "./review-entries-store.ts";
import { requireReviewer } from "./reviewers.ts";
import { approvalEnd, cleanReason } from "./setup-outcome.ts";
import { storeOutcome } from "./store-outcome.ts";

export function decideReview(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["decideReview"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const principal = await requireReviewer(dependencies, context);
    const nowMs = clock();
    if (principal.kind === "person") checkRecentSignIn(principal, nowMs);
    const outcome = outcomeOf(request, dependencies.identity.approvalLifetimeMs, nowMs);
    // Two reviews may record the same reference at once: the later one runs again and finds it.
    const entity = await database.writeLocked(async (transaction) => {
      const reviewed = await lockEntity(transaction, database.dialect, request.entityUuid);
      checkMayDecide(reviewed, request, principal);
      await recordReference(dependencies, transaction, request, reviewed.uuid);
      const source = { provider: "review", occurredAtMs: nowMs } as const;
      await recordDecision(transaction, { entity: reviewed, by: principal, outcome }, nowMs);
      if (outcome.kind === "progress") {
        const question = { kind: "question", content: outcome.reason ?? "", by: principal } as const;
        await storeEntry(transaction, reviewed.uuid, question, nowMs);
      }
      return storeOutcome(transaction, reviewed, outcome, source, nowMs);
    });
    const by = principal.kind === "person" ? principal.accountUuid : principal.kind;
    dependencies.logger.info({ entity: entity.uuid, by, outcome: outcome.kind }, "a review was decided");
    return { entity: entityMessage(entity, nowMs, dependencies.identity) };
  };
}

function outcomeOf({ decision }: DecideReviewRequest, lifetimeMs: bigint, nowMs: bigint): RecordedDecision["outcome"] {
  if (decision.case === "approval") return approvalOf(decision.value, lifetimeMs, nowMs);
  if (decision.case === "question") return questionOf(decision.value);
  const reason = cleanReason(decision.value?.reason ?? "");
  if (reason !== "") return { kind: "refused", reason, final: decision.value?.final ?? false };
  throw invalidArgument([{ field: "refusal.reason", rule: "reason.empty", message: "must have a visible character" }]);
}

function questionOf({ text }: ReviewQuestion): RecordedDecision["outcome"] {
  const reason = cleanReason(text);
  if (reason !== "") return { kind: "progress", state: "in_progress", reason, isQuestion: true };
  throw invalidArgument([{ field: "question.text", rule: "text.empty", message: "must have a visible character" }]);
}

function approvalOf(
  { country, expiresAt }: ReviewApproval,
  lifetimeMs: bigint,
  nowMs: bigint,
): RecordedDecision["outcome"] {
  const named = expiresAt === undefined ? undefined : BigInt(timestampMs(expiresAt));
  if (named === undefined || named > nowMs) {
    requireCountryCode("approval.country", country);
    return { kind: "approved", country, expiresAtMs: approvalEnd(named, lifetimeMs, nowMs) };
  }
  throw invalidArgument([{ field: "approval.expires_at", rule: "expires_at.past", message: "must lie in the future" }]);
}

function checkMayDecide(
  entity: Entity | undefined,
  { entityUuid, expectedVersion }: DecideReviewRequest,
  principal: Principal,
): asserts entity is Entity {
  if (entity === undefined) throw entityNotFound(entityUuid);
  if (principal.kind === "person" && principal.accountUuid === entity.accountUuid) {
    throw new ServiceError("permission_denied", "reviewers can't decide about their own entities");
  }
  checkVersion(entity, expectedVersion);
  if (entity.submittedAtMs !== undefined) return;
  throw new ServiceError("failed_precondition", "the entity doesn't wait for a review");
}

/** @throws ServiceError `already_exists` if another entity has the reference of an approval */
async function recordReference(
  { derivedKeys }: EntitiesContext,
  transaction: Transaction<EntitiesSchema>,
  { decision }: DecideReviewRequest,
  entityUuid: string,
): Promise<void> {
  if (decision.case !== "approval") return;
  const reference = { provider: "review", reference: withoutOuterBlanks(decision.value.reference) } as const;
  if (reference.reference === "") {
    throw invalidArgument([{ field: "approval.reference", rule: "reference.empty", message: "must not be empty" }]);
  }
  if (await bindReference(transaction, derivedKeys, reference, entityUuid)) return;
  throw new ServiceError("already_exists", "the reference belongs to another entity");
}
