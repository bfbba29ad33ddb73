import type { Block } from "../../../chains/evm/block.ts";
import { ZERO_ADDRESS } from "../../../chains/evm/evm-address.ts";
import type { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { checkToken } from "../../../chains/evm/read-token.ts";
import { ScheduleTimes } from "../../../chains/evm/schedule-times.ts";
import type { AuctionCheck } from "../../chain-connection.ts";
import type { StatedTerms } from "../../contract-facts.ts";

/** Reads what the chain says of an auction's terms at a block: its tokens, and when its blocks are. @throws SourceFault if the nodes don't answer */
export async function checkAuction(
  endpoint: EvmEndpoint,
  terms: StatedTerms,
  block: Block,
  signal: AbortSignal,
): Promise<AuctionCheck> {
  const times = new ScheduleTimes(endpoint, block);
  const [currency, token, start, end, claim] = await Promise.all([
    checkToken(endpoint, terms.currency, block, signal),
    checkToken(endpoint, terms.token, block, signal),
    times.at(terms.startBlock, signal),
    times.at(terms.endBlock, signal),
    times.at(terms.claimBlock, signal),
  ]);
  const { validationHook: hook } = terms;
  return { terms, currency, token, start, end, claim, ...(hook === ZERO_ADDRESS ? {} : { hook }) };
}
