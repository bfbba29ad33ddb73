import { encodePermit } from "../../../common/chains/permit-encoding.ts";
import {
  decideParticipation,
  type FailureReason,
  type ParticipationFacts,
  type ReadyParticipation,
} from "../eligibility/decide.ts";
import type { JudgedWallet, ParticipationSubject, Screening } from "../eligibility/gather-facts.ts";
import { activeKeyOf, type PermitKey } from "../permit-keys/permit-key.ts";
import type { KnownBids } from "../wallets/binding.ts";
import { permitOf } from "./permit-of.ts";
import type { PermitRecord } from "./permits-store.ts";

/** A signed permit that is recorded before anybody gets it. */
export interface PermitToRecord {
  readonly uuid: string;
  readonly subject: ParticipationSubject;
  readonly judged: JudgedWallet;
  readonly bids: KnownBids;
  readonly clientUuid: string;
  readonly key: PermitKey;
  /** Unix seconds. */
  readonly expiresAt: bigint;
  /** The bytes that were signed. */
  readonly encoded: Uint8Array;
}

/** `changed`: something that the permit depends on is other than when it was signed, so that it must be made anew. */
export type RecordingOutcome = "recorded" | Unrecorded;

/** Why a permit isn't recorded. */
export type Unrecorded = "changed" | "deleted" | { readonly refused: FailureReason };

/**
 * Returns the decision about a signed permit if the permit is what it allows now; else why the permit isn't recorded.
 *
 * @param facts as they are now
 * @param keys those of the sale
 */
export function recordable(
  permit: PermitToRecord,
  facts: ParticipationFacts,
  keys: readonly PermitKey[],
): ReadyParticipation | Unrecorded {
  const decision = decideParticipation(facts);
  if (decision.kind === "refused") return { refused: decision.reason };
  if (!isScreenedBy(permit.judged.screening, facts.rules.wallets)) return "changed";
  const isActive = activeKeyOf(keys, permit.subject.sale)?.uuid === permit.key.uuid;
  return isActive && isSigned(permit, decision) ? decision : "changed";
}

/** Whether a wallet was screened by the rules of now. */
function isScreenedBy(screening: Screening, now: Screening): boolean {
  const isSame = screening.screenerUrl === now.screenerUrl;
  return isSame && (now.screenerUrl === "" || screening.onScreeningFailure === now.onScreeningFailure);
}

/** Whether a result is none of `Unrecorded`. */
export function isRecordable<Result extends object>(result: Result | Unrecorded): result is Result {
  return typeof result === "object" && !("refused" in result);
}

/** Whether the signed bytes are those of the decision as it is now. */
function isSigned({ subject, expiresAt, encoded }: PermitToRecord, decision: ReadyParticipation): boolean {
  const now = encodePermit(subject.wallet.kind, permitOf(subject, decision, expiresAt));
  return Buffer.compare(encoded, now) === 0;
}

/** The row of a permit. @param nowMs milliseconds since 1970 */
export function recordOf(
  { uuid, subject, clientUuid, key, expiresAt }: Omit<PermitToRecord, "judged" | "bids" | "encoded">,
  decision: ReadyParticipation,
  permit: PermitRecord["permit"],
  nowMs: bigint,
): PermitRecord {
  const { sale, entity, wallet } = subject;
  return {
    uuid,
    saleUuid: sale.saleUuid,
    entityUuid: entity.entityUuid,
    wallet,
    clientUuid,
    keyUuid: key.uuid,
    groupUuid: decision.group.uuid,
    permit,
    forcedLockup: decision.limits.forcedLockup,
    issuedAtMs: nowMs,
    expiresAtMs: expiresAt * 1_000n,
  };
}
