import { SourceFault, type SourceStage } from "../source-reader.ts";
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
    throw mend(`the sale account takes payment token ${paymentTokenMint}: add it to the sale's payment tokens`);
  }
  if (stageOf(sale) === undefined) throw mend(`the sale account has the unknown stage ${stage}`);
}

function mend(message: string): SourceFault {
  return new SourceFault(message, { remedy: "mend" });
}
