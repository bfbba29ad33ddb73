import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { SaleStage } from "../../../sale/state/stage.ts";
import type { SettlementSale } from "./account-layout.ts";

/** Stages by their number in the reference program. */
const STAGES: readonly SaleStage[] = ["pre_open", "commitment", "cancellation", "settlement", "done"];

/** The stage of a sale; undefined for an unknown number. */
export function stageOf(sale: SettlementSale): SaleStage | undefined {
  return STAGES[sale.stage];
}

/** Whether a sale is being settled, or is done: only then does it have allocations. */
export function isSettling(stage: number): boolean {
  return stage >= STAGES.indexOf("settlement") && stage < STAGES.length;
}

/** Whether a sale says now what it accepts of each entity. Sale accounts of older versions are too short for it. */
export function saysAllocations(sale: SettlementSale): sale is Required<SettlementSale> {
  return isSettling(sale.stage) && sale.totalAccepted !== undefined;
}

/** A text for founders; undefined unless accepted amounts can't be read of a sale that is being settled. */
export function allocationsWarning(sale: SettlementSale): string | undefined {
  if (!isSettling(sale.stage) || saysAllocations(sale)) return undefined;
  return "the sale account is too short for accepted amounts, so they aren't known";
}

/** A text for founders about a stage of unknown number; undefined for a known one. It prevents nothing. */
export function stageWarning(sale: SettlementSale): string | undefined {
  return stageOf(sale) === undefined ? `the sale account has the unknown stage ${sale.stage}` : undefined;
}

/** @throws SourceFault if the sale account doesn't belong to the given sale. */
export function checkSale(sale: SettlementSale, saleUuid: string, paymentTokens: readonly string[]): void {
  const { paymentTokenMint } = sale;
  if (sale.saleUuid !== saleUuid) {
    throw configurationFault(
      `the sale account belongs to sale ${sale.saleUuid}, not to ${saleUuid}: check the address`,
    );
  }
  if (!paymentTokens.includes(paymentTokenMint)) {
    // The token of an open sale can't be changed, and on Solana there is only one.
    const advice = "check the address, or set up another sale with that token";
    throw configurationFault(
      `the sale account takes payment token ${paymentTokenMint}, not that of this sale: ${advice}`,
    );
  }
}

function configurationFault(message: string): SourceFault {
  return new SourceFault(message, { remedy: "mend" });
}
