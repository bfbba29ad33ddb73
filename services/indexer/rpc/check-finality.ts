import type { ServiceImpl } from "@connectrpc/connect";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { requireChain, SourceChecks } from "./source-checks.ts";

/** Neither heights nor hashes have spaces. */
const SEPARATOR = " ";

/** The result of a check. */
export interface FinalityCheck {
  /** Why the position isn't final, for people; empty where it is. */
  readonly problem: string;
}

/** Checks of positions, each by its height and hash as one text. Only that one is final is kept: what isn't may be in a moment. */
export function finalityChecks(connections: Pick<ChainConnections, "get">): SourceChecks<FinalityCheck> {
  const check = async (chain: string, text: string, signal: AbortSignal) => {
    const [height = "", hash = ""] = text.split(SEPARATOR);
    const problem = await connections.get(chain).checkFinality({ height: BigInt(height), hash }, signal);
    return { problem: problem ?? "" };
  };
  const chains = {
    get: (chain: string) => ({
      check: ({ address }: { readonly address: string }, signal: AbortSignal) => check(chain, address, signal),
    }),
  };
  return new SourceChecks(chains, { isKept: ({ problem }) => problem === "" });
}

export function checkFinality(
  connections: ChainConnections,
  checks: SourceChecks<FinalityCheck>,
): ServiceImpl<typeof IndexerService>["checkFinality"] {
  return async ({ chain, position }, { signal }) => {
    requireChain(connections, chain);
    const { height = 0n, hash = new Uint8Array() } = position ?? {};
    try {
      return await checks.check({ chain, address: `${height}${SEPARATOR}${hexOfBytes(hash)}` }, signal);
    } catch (error) {
      if (error instanceof SourceFault) throw new ServiceError("unavailable", error.message, { cause: error });
      throw error;
    }
  };
}
