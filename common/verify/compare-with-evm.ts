import type { SourcePosition } from "../chains/base/source-position.ts";
import type { EvmEndpoint } from "../chains/evm/evm-endpoint.ts";
import { UnjoinableAllocations } from "../contracts/reading/evm/allocation-join.ts";
import { CannotVerify } from "./compare/cannot-verify.ts";
import { beginChecks } from "./compare/compare-contract.ts";
import { compareSale } from "./compare/compare-sale.ts";
import type { ShownSale } from "./compare/shown-sale.ts";
import type { Compared } from "./compared.ts";
import { ageRemark } from "./evm/age-remark.ts";
import { compareBlock } from "./evm/compare-block.ts";
import { evmEndpoint } from "./evm/evm-endpoint.ts";
import { type OpenOptions, openEvmSale } from "./evm/evm-sale.ts";
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
  const { nodes, chainId = shown.source.chainId } = options;
  if (chainId === undefined) {
    const advice = "name its chain ID, or try again in a moment if the sale has just been opened";
    throw new CannotVerify(`Tidemark doesn't say which chain the contract is on: ${advice}`);
  }
  const endpoint = evmEndpoint(chainId, nodes, options.nodeFetch);
  try {
    return await compared(endpoint, shown, figuresAt, { ...options, withAllocations: true });
  } catch (error) {
    if (!(error instanceof UnjoinableAllocations)) throw error;
    // The indexer gives such allocations up, too.
    const without = await compared(endpoint, shown, figuresAt, { ...options, withAllocations: false });
    return { ...without, remarks: [`accepted amounts aren't compared: ${error.message}`, ...without.remarks] };
  }
}

async function compared(
  endpoint: EvmEndpoint,
  shown: ShownSale,
  figuresAt: SourcePosition,
  options: VerifyOptions & OpenOptions,
): Promise<Compared> {
  const { signal } = options;
  const checks = beginChecks(shown, options);
  await compareBlock(endpoint, shown, checks, signal);
  const { sale, mayHaveChanged } = await openEvmSale(endpoint, shown, figuresAt, options);
  const age = shown.isFinal ? undefined : await ageRemark(endpoint, figuresAt.height, signal);
  const { remarks } = await compareSale(shown, sale, checks, options);
  if (mayHaveChanged && checks.differences > 0) {
    const problem = `${checks.differences} differences, and they may be later changes`;
    throw new CannotVerify([`${problem}: use an archive node`, ...sale.remarks].join("; "));
  }
  const all = [...(age === undefined ? [] : [age]), ...sale.remarks, ...remarks];
  return { shown, figuresAt, checks, readAt: sale.readAt, node: sale.node, remarks: all };
}
