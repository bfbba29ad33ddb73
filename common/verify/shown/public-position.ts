import type { Position, PositionAllocation, PositionCommitment } from "../../../client/index.ts";
import { CannotVerify } from "../compare/cannot-verify.ts";
import type { ShownAllocation, ShownEntry, ShownPosition } from "../compare/shown-position.ts";
import { postJson } from "./get-json.ts";
import { commitmentOf } from "./public-commitment.ts";
import { hexOf, wholeNumber } from "./public-values.ts";

/** Pages that are read of a wallet, 100 commitments or fewer in each. */
const MAX_PAGES = 200;

/**
 * Reads what a wallet has committed as everybody is shown it.
 *
 * @param url of the look-up
 * @param wallet in its canonical form
 * @throws Unreachable; CannotVerify, also for a wallet with more commitments than are read; Error for an answer that is no position
 */
export async function publicPosition(
  url: string,
  saleUuid: string,
  wallet: string,
  signal: AbortSignal,
): Promise<ShownPosition> {
  const entries: ShownEntry[] = [];
  const allocations: ShownAllocation[] = [];
  let pageToken: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const request = {
      SaleUUID: saleUuid,
      Wallet: wallet,
      ...(pageToken === undefined ? {} : { PageToken: pageToken }),
    };
    const position = (await postJson(url, request, signal)).body as unknown as Position;
    entries.push(...position.Commitments.map(entryOf));
    allocations.push(...(position.Allocations ?? []).map(allocationOf));
    pageToken = position.NextPageToken;
    const isKnown = position.Allocations !== undefined;
    if (pageToken === undefined) return { wallet, entries, ...(isKnown && { allocations }) };
  }
  throw new CannotVerify(`wallet ${wallet} has too many commitments to be compared`);
}

function allocationOf(allocation: PositionAllocation): ShownAllocation {
  const { SaleSpecificEntityID, TokenAddress, AcceptedAmount, RefundedAmount } = allocation;
  return {
    entityId: hexOf(SaleSpecificEntityID),
    token: TokenAddress,
    accepted: wholeNumber("AcceptedAmount", AcceptedAmount),
    ...(RefundedAmount === undefined ? {} : { refunded: wholeNumber("RefundedAmount", RefundedAmount) }),
  };
}

function entryOf(commitment: PositionCommitment): ShownEntry {
  const { Counted, NotCountedReason, ClearingOutcome } = commitment;
  return {
    commitment: commitmentOf(commitment),
    counted: Counted,
    ...(NotCountedReason === undefined ? {} : { notCounted: NotCountedReason }),
    ...(ClearingOutcome === undefined ? {} : { outcome: ClearingOutcome }),
  };
}
