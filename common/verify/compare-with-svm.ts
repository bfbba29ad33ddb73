import { CannotVerify } from "./compare/cannot-verify.ts";
import { beginChecks } from "./compare/compare-contract.ts";
import { compareSale } from "./compare/compare-sale.ts";
import { requiredPosition, type ShownSale } from "./compare/shown-sale.ts";
import type { Compared } from "./compared.ts";
import { MovedOn } from "./shown/moved-on.ts";
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

/** Reads of the figures while they aren't known to be current up to a slot, and the time between them in milliseconds. */
const MAX_READS = 40;
const INTERVAL_MS = 1_000;

interface EqualSlotsOptions {
  readonly readShown: (signal: AbortSignal) => Promise<ShownSale>;
  readonly wait: (millis: number, signal: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Figures that are to be compared with the state of a slot. */
interface FiguresAtSlot {
  readonly shown: ShownSale;
  /** Whether they are known to be those of the slot. */
  readonly areEqual: boolean;
}

/**
 * Reads figures again until they are known to be those of a slot: they last changed at it or before, and are current up to it
 * or later.
 *
 * @throws MovedOn if they changed after the slot; what `readShown` throws
 */
export async function figuresAtSlot(
  slot: bigint,
  { readShown, wait, signal }: EqualSlotsOptions,
): Promise<FiguresAtSlot> {
  for (let read = 1; ; read += 1) {
    const shown = await readShown(signal);
    const { asOf, changedAt, isFinal } = shown;
    if (isFinal) return { shown, areEqual: true };
    if (changedAt !== undefined && changedAt.height > slot) throw new MovedOn();
    // Where a founder has changed a setting since, nobody knows when the sale last changed on its chain.
    if (asOf !== undefined && asOf.height >= slot)
      return { shown, areEqual: changedAt !== undefined || asOf.height === slot };
    if (read === MAX_READS) return { shown, areEqual: false };
    await wait(INTERVAL_MS, signal);
  }
}
