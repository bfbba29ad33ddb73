import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountSignatureCheck } from "../../../common/chains/base/account-signature.ts";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import { chainIdOf } from "../../../common/chains/explorer-links.ts";
import type { ChainConnections } from "../../../common/contracts/connecting/chain-connections.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { IndexerService } from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { SourceChecks } from "./source-checks.ts";

/** Hexadecimal digits have no spaces. */
const SEPARATOR = " ";
/** Few, because a signature may have 8 KiB. */
const MAX_CACHED = 100;

/** Checks of signatures, each with its account and digest by one text. Every chain runs few at once. */
export function accountSignatureChecks(
  connections: Pick<ChainConnections, "get">,
): SourceChecks<AccountSignatureCheck> {
  const get = (chain: string) => ({
    async check({ address: text }: { readonly address: string }, signal: AbortSignal) {
      const [account = "", digest = "", signature = ""] = text.split(SEPARATOR);
      const answer = await connections.get(chain).checkAccountSignature?.({ account, digest, signature }, signal);
      return answer ?? { valid: false, hasCode: false };
    },
  });
  return new SourceChecks({ get }, { maxCached: MAX_CACHED });
}

export function checkAccountSignature(
  { chains }: Pick<ChainConnections, "chains">,
  checks: SourceChecks<AccountSignatureCheck>,
): ServiceImpl<typeof IndexerService>["checkAccountSignature"] {
  return async ({ chainId, account, digest, signature }, { signal }) => {
    const chain = chains.find((configured) => chainIdOf(configured) === chainId && chainId !== 0n);
    if (chain === undefined) throw new ServiceError("not_found", `no chain with the ID ${chainId} is configured`);
    const hex = [digest, signature].map((bytes) => `0x${hexOfBytes(bytes)}`);
    const text = [account.toLowerCase(), ...hex].join(SEPARATOR);
    try {
      return await checks.check({ chain: chain.name, address: text }, signal);
    } catch (error) {
      if (error instanceof SourceFault) throw new ServiceError("unavailable", error.message, { cause: error });
      throw error;
    }
  };
}
