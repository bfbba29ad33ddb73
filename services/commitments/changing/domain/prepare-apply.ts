import { hash } from "node:crypto";
import type { SaleDefinition } from "../../../../common/sale/definition/sale.ts";
import { AmountNormaliser } from "../../../../common/sale/figures/amount.ts";
import type { CommitmentRecord } from "../../../../common/sale/record/commitment.ts";
import { commitmentDigest } from "../../../../common/sale/record/commitment-digest.ts";
import type { TokenAmount, TokenAmounts } from "../../../../common/sale/record/token-amounts.ts";
import type { IncomingCommitment } from "../../base/domain/stored-commitment.ts";
import type { ApplyEnvelope } from "./admit-apply.ts";
import { checkApply } from "./check-apply.ts";
import { checkTotals } from "./check-totals.ts";

/** The content of an apply. */
export interface ApplyPayload extends ApplyEnvelope {
  readonly upserts: readonly CommitmentRecord[];
  /** Commitment IDs, hex. */
  readonly removals: readonly string[];
  /** The source's own totals of what it accepts, raw; absent while it doesn't say them. */
  readonly allocationTotals?: readonly TokenAmount[];
}

export interface ApplyRequest extends ApplyPayload {
  readonly saleUuid: string;
  readonly requestId: string;
}

export interface PreparedApply {
  readonly incoming: readonly IncomingCommitment[];
  /** `ApplyPayload.allocationTotals`, checked. */
  readonly totals?: TokenAmounts;
  /** See `payloadHash`. */
  readonly hash: string;
}

/**
 * Works out what follows from an apply and the sale's definition alone.
 *
 * @throws ServiceError `invalid_argument` as `checkApply` does.
 */
export function prepareApply(definition: SaleDefinition, payload: ApplyPayload): PreparedApply {
  const normaliser = new AmountNormaliser(definition);
  const incoming = checkApply(definition, payload.upserts, payload.removals).map((record) => ({
    record,
    amount: normaliser.sum(record.amounts),
    hasAmount: record.amounts.some(({ amount }) => amount > 0n),
    digest: commitmentDigest(record),
  }));
  const totals = payload.allocationTotals && checkTotals("allocation_totals", definition, payload.allocationTotals);
  const hash = payloadHash(incoming, payload.removals, payload, totals);
  return { incoming, ...(totals && { totals }), hash };
}

/**
 * SHA-256 (hex) of what an apply would change, which distinguishes a repeated request from another one under the same
 * request ID. Lease and expected revision are left out: they may differ when a request is sent again.
 */
export function payloadHash(
  incoming: readonly IncomingCommitment[],
  removals: readonly string[],
  { stage, changeSet, sourcePosition }: ApplyEnvelope,
  allocationTotals?: TokenAmounts,
): string {
  const changeSetText = changeSet === undefined ? "" : `${changeSet.uuid}/${changeSet.part}/${changeSet.last}`;
  const position = sourcePosition === undefined ? "" : `${sourcePosition.height}/${sourcePosition.hash}`;
  const totals = allocationTotals === undefined ? [] : [totalsText(allocationTotals)];
  const envelope = JSON.stringify([incoming.length, removals.length, stage ?? "", changeSetText, position, ...totals]);
  const upserts = incoming.map(({ digest, record }) => `${digest}${record.sourceIndex ?? ""};`);
  return hash("sha256", [envelope, ...upserts, ...removals].join(""), "hex");
}

function totalsText(totals: TokenAmounts): string {
  const sorted = [...totals].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([token, amount]) => `${token}:${amount}`).join();
}
