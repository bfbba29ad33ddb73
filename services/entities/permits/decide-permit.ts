import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { MAX_JSON_INTEGER, type Permit } from "../../../common/chains/base/permit.ts";
import { encodePermit, permitFormat } from "../../../common/chains/permit-encoding.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { ApplicationGrant } from "../authority/application-access.ts";
import type { SubjectFacts } from "../eligibility/decide.ts";
import {
  decideSubject,
  type Eligible,
  NO_ANSWERS,
  type OutsideAnswers,
  type OutsideQuestion,
  type ReadySubject,
  type Refused,
  refused,
} from "../eligibility/decide.ts";
import type { EligibilitySubject, LoadedFacts } from "../eligibility/load-facts.ts";
import { activeKeyOf, type PermitKey, permitEnd } from "../permit-keys/permit-key.ts";
import type { BindingFacts } from "../wallets/binding.ts";
import { newPermitUuid, type PermitRecord } from "./permits-store.ts";

/** A permit that an application asks for. */
export interface RequestedPermit {
  readonly subject: EligibilitySubject;
  /** The account and the application of the call's token, as auth has answered. */
  readonly grant: Pick<ApplicationGrant, "accountUuid" | "clientUuid">;
  /** Absent until somebody was asked outside of the database. */
  readonly answers?: PermitAnswers;
}

/** Answers from outside, a remote signer's included. */
export interface PermitAnswers extends OutsideAnswers {
  readonly signed?: RemotelySigned;
}

/** Bytes that a remote signer has signed. */
export interface RemotelySigned {
  readonly keyUuid: string;
  /** Unix seconds: the end of the permit. */
  readonly expiresAt: bigint;
  readonly encoded: Uint8Array;
  readonly signature: Uint8Array;
}

/** A permit that may be issued. */
export interface UnsignedPermit {
  readonly kind: "ready";
  readonly permit: Permit;
  readonly key: PermitKey;
  /** The remote signer's signature; absent for a key that the database holds. */
  readonly signature?: Uint8Array;
  readonly decision: ReadySubject;
  readonly binding: BindingFacts;
  /** The EIP-155 ID of the sale's chain (`SaleFacts.chainId`). */
  readonly chainId: bigint | undefined;
  /** The keys of all members that the entity matches, in whichever group. */
  readonly matchedKeys: readonly string[];
  readonly record: PermitRecord;
}

export type PermitQuestion =
  | OutsideQuestion
  | { readonly kind: "signature"; readonly key: PermitKey; readonly expiresAt: bigint; readonly encoded: Uint8Array };

/** A decision that needs the answer to a question first. */
export interface NeedsOutsideCheck {
  readonly kind: "needsOutsideCheck";
  readonly question: PermitQuestion;
  /** Decides by the same facts, with the answers. */
  decideWith(answers: PermitAnswers): PermitDecision;
}

/** `notFound`: the application sees no such entity (any more). */
export type PermitDecision = UnsignedPermit | Refused | { readonly kind: "notFound" } | NeedsOutsideCheck;

/** Decides about permits of one sale, in their order, each by the facts about it and by what was asked outside for it. */
export function decidePermits(
  requested: readonly RequestedPermit[],
  { keys, facts }: LoadedFacts<SubjectFacts>,
): readonly PermitDecision[] {
  return requested.map((each, index) => decidePermit(each, keys, facts[index]));
}

function decidePermit(
  requested: RequestedPermit,
  keys: readonly PermitKey[],
  facts: SubjectFacts | undefined,
): PermitDecision {
  const { subject, grant } = requested;
  const answers: PermitAnswers = requested.answers ?? NO_ANSWERS;
  if (facts?.accountUuid !== grant.accountUuid || facts.hiddenFrom.has(grant.clientUuid)) return { kind: "notFound" };
  const needs = (question: PermitQuestion): NeedsOutsideCheck => ({
    kind: "needsOutsideCheck",
    question,
    decideWith: (given) => decidePermit({ ...requested, answers: given }, keys, facts),
  });
  // A wallet of another chain than the sale's, which was moved since the wallet was parsed.
  if (subject.sale.kind !== subject.wallet.kind) return refused("sale-not-active");
  const decision = decideSubject(facts, answers);
  if (decision.kind === "needsOutsideCheck") return needs(decision.question);
  if (decision.kind === "refused") return decision;
  const key = activeKeyOf(keys, subject.sale);
  if (key === undefined) return refused("sale-not-active");
  const permitUntil = (expiresAt: bigint) => unsignedPermit(requested, facts, decision, { key, expiresAt });
  const expiresAt = permitEnd(facts.nowMs);
  if (!key.remote) return permitUntil(expiresAt);
  const signed = signedPermit(answers.signed, key, permitUntil);
  return signed ?? needs({ kind: "signature", key, expiresAt, encoded: encodedOf(permitUntil(expiresAt)) });
}

/** Returns the permit that a remote signer has signed, if it is what may be issued now, and by this key. */
function signedPermit(
  signed: RemotelySigned | undefined,
  key: PermitKey,
  permitUntil: (expiresAt: bigint) => UnsignedPermit,
): UnsignedPermit | undefined {
  if (signed?.keyUuid !== key.uuid) return undefined;
  const permit = permitUntil(signed.expiresAt);
  if (Buffer.compare(signed.encoded, encodedOf(permit)) !== 0) return undefined;
  return { ...permit, signature: signed.signature };
}

function unsignedPermit(
  { subject, grant: { clientUuid } }: RequestedPermit,
  { eligibility: { members }, binding, nowMs }: SubjectFacts,
  decision: ReadySubject,
  { key, expiresAt }: { readonly key: PermitKey; readonly expiresAt: bigint },
): UnsignedPermit {
  const { sale, entity, wallet } = subject;
  const permit = permitOf(subject, decision, expiresAt);
  const ids = { saleUuid: sale.saleUuid, entityUuid: entity.entityUuid, clientUuid, keyUuid: key.uuid };
  const times = { issuedAtMs: nowMs, expiresAtMs: expiresAt * 1_000n };
  const { group, limits } = decision;
  return {
    kind: "ready",
    ...{ permit, key, decision, binding },
    chainId: sale.chainId,
    matchedKeys: members.map(({ keyMac }) => keyMac),
    record: {
      uuid: newPermitUuid(nowMs),
      ...ids,
      ...times,
      wallet,
      groupUuid: group.uuid,
      permit,
      forcedLockup: limits.forcedLockup,
    },
  };
}

/** Returns the bytes that are signed. */
export function encodedOf({ permit, record: { wallet } }: UnsignedPermit): Uint8Array {
  return encodePermit(wallet.kind, permit);
}

/**
 * Makes the permit of a decision. Where there is no bound, it has the greatest number that its place takes.
 *
 * @param expiresAt Unix seconds
 */
export function permitOf(
  { sale, entity, wallet }: Pick<EligibilitySubject, "sale" | "entity" | "wallet">,
  { limits, payload }: Pick<Eligible, "limits" | "payload">,
  expiresAt: bigint,
): Permit {
  return {
    saleSpecificId: entity.saleSpecificId,
    saleUuid: bytesOfHex(sale.saleUuid),
    wallet: wallet.bytes,
    expiresAt,
    minAmount: limits.minAmount,
    maxAmount: limits.maxAmount ?? permitFormat(wallet.kind).maxAmount,
    minPrice: limits.minPrice,
    maxPrice: limits.maxPrice ?? MAX_JSON_INTEGER,
    opensAt: limits.opensAt,
    closesAt: limits.closesAt ?? MAX_JSON_INTEGER,
    payload: payload === "none" ? new Uint8Array() : lockupPayload(wallet.kind, limits.forcedLockup),
  };
}

/** Encodes `(bool forcedLockup)` as the contracts of the wallet's family of chains read it. */
function lockupPayload(family: ChainFamily, forcedLockup: boolean): Uint8Array {
  const bytes = new Uint8Array(permitFormat(family).lockupBytes);
  if (forcedLockup) bytes[bytes.length - 1] = 1;
  return bytes;
}
