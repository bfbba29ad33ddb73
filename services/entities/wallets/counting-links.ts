import { CHAIN_FAMILIES } from "../../../common/chains/base/chain-family.ts";
import { maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { countingChains } from "./proof-chain.ts";

/** The kinds of wallets that only their keys sign for: each link counts everywhere, with or without a row that notes its proof. */
const KEY_KINDS = CHAIN_FAMILIES.filter((kind) => !maySignAsAccount({ kind }));

/**
 * Returns SQL of the links that count in a sale, from `from` to an expression of `where`: rows of `wallet_link`, of which one may come
 * more than once. A proof without a link counts for nothing. Nor does one that is older than the link: it is left of an earlier link,
 * which a version that knows no proofs has removed.
 *
 * @param chainId the EIP-155 ID of the sale's chain; undefined if it isn't known
 */
export function fromCountingLinks(chainId: bigint | undefined): string {
  const kinds = KEY_KINDS.map((kind) => `'${kind}'`);
  return `from wallet_link left join wallet_proof on wallet_proof.entity = wallet_link.entity
      and wallet_proof.kind = wallet_link.kind and wallet_proof.wallet = wallet_link.wallet
      and wallet_proof.proved_at_ms >= wallet_link.linked_at_ms and wallet_proof.chain_id in (${countingChains(chainId).join(",")})
    where (wallet_proof.chain_id is not null or wallet_link.kind in (${kinds.join(",")}))`;
}
