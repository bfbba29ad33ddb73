import { hash } from "node:crypto";
import type { TokenAmounts } from "../../../../common/sale/record/token-amounts.ts";
import type { IncomingCommitment } from "../../base/domain/stored-commitment.ts";
import type { ApplyEnvelope } from "./admit-apply.ts";

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
