import type { SvmChain } from "../../chains/base/chain.ts";
import { SourceFault } from "../../chains/base/source-fault.ts";
import { blockTime } from "../../chains/base/source-position.ts";
import { checkSvmTokens } from "../../chains/svm/check-svm-tokens.ts";
import { FailoverTransport } from "../../chains/svm/failover-transport.ts";
import { createSvmRpc } from "../../chains/svm/svm-rpc.ts";
import { type ConsistentRead, readConsistently } from "../../contracts/reading/svm/consistent-read.ts";
import { saysAllocations, stageOf, stageWarning } from "../../contracts/reference/svm/check-sale.ts";
import type { EntityRow } from "../../contracts/reference/svm/entity-row.ts";
import { SaleAccounts } from "../../contracts/reference/svm/sale-accounts.ts";
import type { SourceCommitment } from "../../contracts/source-commitment.ts";
import type { ChainSale } from "../compare/chain-sale.ts";
import type { ShownSale } from "../compare/shown-sale.ts";

/** Rows in one part. */
const PART_ROWS = 500;

/**
 * Reads a sale account with all entities, at one slot. Nodes can't be asked about an earlier one.
 *
 * @throws SourceFault
 */
export async function openSvmSale(chain: SvmChain, shown: ShownSale, signal: AbortSignal): Promise<ChainSale> {
  const transport = new FailoverTransport(chain);
  const rpc = createSvmRpc(transport);
  const accounts = new SaleAccounts(chain, shown.source.address, rpc);
  const bounds = { minSlot: 0n, maxRows: Number.POSITIVE_INFINITY, checkSale: () => {} };
  const addresses = shown.definition.paymentTokens.map(({ address }) => address);
  const [read, tokens] = await Promise.all([
    readConsistently(accounts, undefined, bounds, signal),
    checkSvmTokens(chain, addresses, rpc, signal),
  ]);
  if (read.kind === "large") throw new SourceFault("the sale has too many entities", { remedy: "mend" });
  return { ...factsOf(read, shown), node: transport.urls[0]?.host ?? "", tokens };
}

function factsOf({ slot, timeSeconds, sale, table, changed }: ConsistentRead, { signer }: ShownSale) {
  const [stage, warning] = [stageOf(sale), stageWarning(sale)];
  return {
    readAt: { height: slot, hash: "", ...blockTime(timeSeconds) },
    saleUuid: sale.saleUuid,
    ...(stage === undefined ? {} : { stage }),
    // The program takes a cancelled amount off what its wallet has contributed.
    cancelledKeepsAmounts: false,
    paymentTokens: [sale.paymentTokenMint],
    ...(signer === undefined ? {} : { acceptsSigner: signer === sale.permitSigner }),
    totals: new Map([[sale.paymentTokenMint, sale.totalCommitted]]),
    ...(saysAllocations(sale) && { acceptedTotals: new Map([[sale.paymentTokenMint, sale.totalAccepted]]) }),
    count: BigInt(table.size),
    hasIndexes: false,
    remarks: warning === undefined ? [] : [warning],
    rows: () => parts(changed),
  };
}

async function* parts(rows: ReadonlyMap<string, EntityRow>): AsyncGenerator<readonly SourceCommitment[], void> {
  // The program has no order of its own.
  const all = Array.from(rows.values(), (row) => ({ ...row, sourceIndex: 0n }));
  for (let begin = 0; begin < all.length; begin += PART_ROWS) yield all.slice(begin, begin + PART_ROWS);
}
