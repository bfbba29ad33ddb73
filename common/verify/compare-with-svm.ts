import { CannotVerify } from "./compare/cannot-verify.ts";
import { beginChecks } from "./compare/compare-contract.ts";
import { compareSale } from "./compare/compare-sale.ts";
import { requiredPosition, type ShownSale } from "./compare/shown-sale.ts";
import type { Compared } from "./compared.ts";
import { figuresAtSlot } from "./equal-slots.ts";
import { svmChain } from "./svm/svm-chain.ts";
import { openSvmSale } from "./svm/svm-sale.ts";
import type { WaitingOptions } from "./verify-options.ts";

/**
 * Compares a sale with its account on Solana. Nodes only answer about the present state, so the chain is read first, and the figures
 * once they are known to be those of the same slot.
 *
 * @throws CannotVerify if something differs and the figures never became those of the slot; MovedOn; SourceFault
 */
export async function compareWithSvm(first: ShownSale, options: WaitingOptions): Promise<Compared> {
  const sale = await openSvmSale(svmChain(options.nodes, options.program), first, options.signal);
  const slot = sale.readAt.height;
  const { shown, areEqual } = await figuresAtSlot(slot, options);
  const figuresAt = requiredPosition(shown);
  const checks = beginChecks(shown, options);
  checks.skipped("block", "a slot has no hash");
  const { remarks } = await compareSale(shown, sale, checks, options);
  const remark = slotRemark(shown, slot, areEqual);
  if (!areEqual && checks.differences > 0) {
    throw new CannotVerify(`${checks.differences} differences, and they may be later changes: ${remark}`);
  }
  return {
    shown,
    figuresAt,
    checks,
    readAt: sale.readAt,
    node: sale.node,
    remarks: [remark, ...sale.remarks, ...remarks],
  };
}

function slotRemark({ asOf, changedAt, isFinal }: ShownSale, slot: bigint, areEqual: boolean): string {
  if (isFinal) return `the sale is settled for good, so its figures are those of slot ${slot} too`;
  const current = asOf === undefined ? "nobody says up to which slot" : `up to slot ${asOf.height}`;
  if (!areEqual) return `the figures are current ${current}, and the node was read at slot ${slot}`;
  const last = changedAt === undefined ? "" : `last changed at slot ${changedAt.height}, and `;
  return `slots are equal: the figures ${last}are current ${current}; the node was read at slot ${slot}`;
}
