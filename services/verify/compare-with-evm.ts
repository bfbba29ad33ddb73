import type { SourcePosition } from "../indexer/source/source-commitment.ts";
import { CannotVerify } from "./compare/cannot-verify.ts";
import { beginChecks } from "./compare/compare-contract.ts";
import { compareSale } from "./compare/compare-sale.ts";
import type { ShownSale } from "./compare/shown-sale.ts";
import type { Compared } from "./compared.ts";
import { ageRemark } from "./evm/age-remark.ts";
import { compareBlock } from "./evm/compare-block.ts";
import { evmEndpoint } from "./evm/evm-endpoint.ts";
import { openEvmSale } from "./evm/evm-sale.ts";
import type { VerifyOptions } from "./verify-options.ts";

/**
 * Compares a sale with its contract on an EVM chain.
 *
 * @throws CannotVerify if nobody says which chain it is on, or if the contract may have changed since the block of the figures;
 *   OtherBlock; SourceFault
 */
export async function compareWithEvm(
  shown: ShownSale,
  figuresAt: SourcePosition,
  options: VerifyOptions,
): Promise<Compared> {
  const { nodes, chainId = shown.source.chainId, signal } = options;
  if (chainId === undefined) {
    throw new CannotVerify("Tidemark doesn't say which chain the contract is on: name its chain ID");
  }
  const checks = beginChecks(shown, options);
  const endpoint = evmEndpoint(chainId, nodes);
  await compareBlock(endpoint, shown, checks, signal);
  const { sale, mayHaveChanged } = await openEvmSale(endpoint, shown, figuresAt, signal);
  const age = shown.isFinal ? undefined : await ageRemark(endpoint, figuresAt.height, signal);
  const { remarks } = await compareSale(shown, sale, checks, options);
  if (mayHaveChanged && checks.differences > 0) {
    const problem = `${checks.differences} differences, and they may be later changes`;
    throw new CannotVerify([`${problem}: use an archive node`, ...sale.remarks].join("; "));
  }
  return {
    shown,
    figuresAt,
    checks,
    readAt: sale.readAt,
    node: sale.node,
    remarks: [...(age === undefined ? [] : [age]), ...sale.remarks, ...remarks],
  };
}
