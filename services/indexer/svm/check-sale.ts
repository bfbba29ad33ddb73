import { SourceFault, type SourceStage } from "../source/source-reader.ts";
import type { SettlementSale } from "./account-layout.ts";

/** By number, as the reference program counts them. */
const STAGES: readonly SourceStage[] = ["pre_open", "commitment", "cancellation", "settlement", "done"];

/** Nothing for a number that is no stage. */
export function stageOf(sale: SettlementSale): SourceStage | undefined {
  return STAGES[sale.stage];
}

/** @throws SourceFault where the sale account isn't the one of the given sale. */
export function checkSale(sale: SettlementSale, saleUuid: string, paymentTokens: readonly string[]): void {
  const { paymentTokenMint, stage } = sale;
  if (sale.saleUuid !== saleUuid) {
    throw mend(`the sale account is that of sale ${sale.saleUuid}, not of ${saleUuid}: check the address`);
  }
  if (!paymentTokens.includes(paymentTokenMint)) {
    // An open sale's token stays, and there is no second one on Solana.
    const advice = "check the address, or set up another sale with that token";
    throw mend(`the sale account takes payment token ${paymentTokenMint}, not that of this sale: ${advice}`);
  }
  if (stageOf(sale) === undefined) throw mend(`the sale account has the unknown stage ${stage}`);
}

function mend(message: string): SourceFault {
  return new SourceFault(message, { remedy: "mend" });
}
