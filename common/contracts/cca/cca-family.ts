import { callOrAbsent } from "../../chains/evm/call-or-absent.ts";
import type { PinnedBlock } from "../../chains/evm/pinned-block.ts";
import type { EvmFamily } from "../evm-family.ts";
import { hasSignerRole } from "../signer-role.ts";
import { VALIDATION_HOOK } from "./auction-calls.ts";
import { readAuctionExits } from "./auction-exits.ts";
import { CCA_LOGS } from "./auction-logs.ts";
import { meaningOf } from "./auction-stages.ts";
import { readAuctionTerms } from "./auction-terms.ts";
import { AuctionView } from "./auction-view.ts";
import { loadOwnerEntities } from "./owner-entities.ts";

const NO_HOOK = `0x${"0".repeat(40)}`;

/** The family of Uniswap's Continuous Clearing Auction, versions 1.0.0 and 1.1.0. */
export const CCA_FAMILY: EvmFamily = {
  names: {
    interface: "ContinuousClearingAuction",
    saleUuid: "saleUUID()",
    totals: "currencyRaised()",
    acceptedTotals: "bids(uint256)",
    acceptsSigner: "hasRole(bytes32,address) of its validation hook",
  },
  logs: CCA_LOGS,
  // An exit or a claim changes no figure of a bid.
  rowsAreFixed: true,
  view: async ({ times }) => new AuctionView(times, await loadOwnerEntities()),
  meaningOf,
  acceptsSigner,
  statedTerms: readAuctionTerms,
  bidExits: readAuctionExits,
};

/** Asks the auction's hook, as that is what checks permits. */
async function acceptsSigner(pinned: PinnedBlock, signer: string, signal: AbortSignal): Promise<boolean | undefined> {
  const hook = await callOrAbsent(pinned, VALIDATION_HOOK, signal);
  if (hook === undefined || hook === NO_HOOK) return undefined;
  return callOrAbsent(pinned.of(hook), hasSignerRole(signer), signal);
}
