import { isForUndeployed, personalDigest } from "../../../common/chains/evm/personal-signature.ts";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { isSignedByKey, maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import type { WalletDependencies } from "./dependencies.ts";
import type { LinkChallenge } from "./link-challenge.ts";

/**
 * Checks that a wallet has signed the text that was given out: with its key, or as a smart account that says so on the text's
 * chain (EIP-1271).
 *
 * @throws ServiceError `invalid_argument` if it hasn't; `unavailable` if the chain can't be asked
 */
export async function checkLinkSignature(
  { indexer }: Pick<WalletDependencies, "indexer">,
  challenge: LinkChallenge,
  signature: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { wallet, text, chainId } = challenge;
  if (isSignedByKey(wallet, text, signature)) return;
  if (!maySignAsAccount(wallet)) throw wrongSignature("isn't the wallet's own for this text");
  const request = { chainId, account: formatWallet(wallet), digest: personalDigest(text), signature };
  const { valid, hasCode } = await askAccount(indexer, request);
  if (valid) return;
  if (hasCode) throw wrongSignature("isn't one that the smart account at this address accepts for this text");
  const undeployed = "is for a smart account that isn't on its chain yet; deploy the account first";
  throw wrongSignature(isForUndeployed(signature) ? undeployed : "isn't the wallet's own for this text");
}

async function askAccount(
  indexer: WalletDependencies["indexer"],
  request: Parameters<WalletDependencies["indexer"]["checkAccountSignature"]>[0],
): Promise<{ readonly valid: boolean; readonly hasCode: boolean }> {
  try {
    return await indexer.checkAccountSignature(request);
  } catch (error) {
    const refusal = toServiceError(error);
    if (refusal?.code === "not_found") {
      throw wrongSignature("isn't that of the wallet's key, and smart accounts of this chain can't be asked here");
    }
    // Its own text names the chain's nodes.
    throw new ServiceError("unavailable", "the wallet's chain can't be asked now; try again", { cause: error });
  }
}

function wrongSignature(message: string): ServiceError {
  return invalidArgument([{ field: "signature", rule: "wallet.signature", message }]);
}
