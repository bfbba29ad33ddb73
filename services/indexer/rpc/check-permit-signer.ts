import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { SignerCheck } from "../../../common/contracts/chain-connection.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import type {
  CheckPermitSignerResponseSchema,
  IndexerService,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { type CheckedChains, declaredFamily, requireChain, SourceChecks } from "./source-checks.ts";

/** Neither valid addresses nor valid signers have spaces. */
const SEPARATOR = " ";

/**
 * Checks of signers, each with its contract by one text. Only an acceptance is kept: somebody who has just granted the role
 * wants to see it, and few may ask at all.
 */
export function signerChecks(connections: Pick<ChainConnections, "get">): SourceChecks<SignerCheck> {
  const chains: CheckedChains<SignerCheck> = {
    get: (chain) => ({
      check({ address: text, ...of }, signal) {
        const at = text.indexOf(SEPARATOR);
        const target = { ...of, address: text.slice(0, at), signer: text.slice(at + 1) };
        return connections.get(chain).checkSigner(target, signal);
      },
    }),
  };
  return new SourceChecks(chains, { isKept: ({ accepted }) => accepted === true });
}

export function checkPermitSigner(
  connections: ChainConnections,
  checks: SourceChecks<SignerCheck>,
): ServiceImpl<typeof IndexerService>["checkPermitSigner"] {
  return async ({ chain, address, signer, family }, { signal }) => {
    requireChain(connections, chain);
    try {
      const target = { chain, address: `${address}${SEPARATOR}${signer}`, ...declaredFamily(family) };
      return signerMessage(await checks.check(target, signal));
    } catch (error) {
      if (error instanceof SourceFault) return signerMessage({ problem: error.message });
      throw error;
    }
  };
}

function signerMessage({
  accepted,
  problem = "",
}: SignerCheck): MessageInitShape<typeof CheckPermitSignerResponseSchema> {
  return { ...(accepted !== undefined && { accepted }), problem };
}
