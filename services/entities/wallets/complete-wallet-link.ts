import type { ServiceImpl } from "@connectrpc/connect";
import { isForUndeployed, personalDigest } from "../../../common/chains/evm/personal-signature.ts";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { isSignedByKey, maySignAsAccount } from "../../../common/chains/wallet-signatures.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import type { LinkedWallet } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import type { LinkChallenge } from "./link-challenge.ts";
import { returnChallenge, takeChallenge } from "./link-challenges-store.ts";
import { checkRoom } from "./linked-number.ts";
import { requireSession } from "./require-session.ts";
import { linkWallet } from "./wallet-links-store.ts";

/** A text's signature is checked once: whoever sends a wrong one begins again. */
export function completeWalletLink(
  dependencies: EntitiesContext,
): ServiceImpl<typeof WalletService>["completeWalletLink"] {
  const { database, clock } = dependencies;
  return async ({ linkHandle, signature }, context) => {
    const challenge = await takeChallenge(database, linkHandle, requireSession(context), clock());
    if (challenge === undefined) {
      const message = "the text has expired, was used, or was made for another session; begin again";
      throw new ServiceError("failed_precondition", message);
    }
    await checkOrReturn(dependencies, linkHandle, challenge, new Uint8Array(signature));
    return { wallet: await link(dependencies, challenge) };
  };
}

/** Checks the signature. The text stays usable if the wallet's chain can't be asked. */
async function checkOrReturn(
  dependencies: EntitiesContext,
  handle: string,
  challenge: LinkChallenge,
  signature: Uint8Array<ArrayBuffer>,
): Promise<void> {
  try {
    await checkLinkSignature(dependencies, challenge, signature);
  } catch (error) {
    const wasChecked = error instanceof ServiceError && error.code === "invalid_argument";
    if (!wasChecked) await returnChallenge(dependencies.database, handle);
    throw error;
  }
}

async function link(
  { database, clock, linkedWallets }: EntitiesContext,
  { accountUuid, entityUuid, wallet }: LinkChallenge,
): Promise<LinkedWallet> {
  const linked = await database.writeLocked(async (transaction) => {
    await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
    await checkRoom(transaction, entityUuid, wallet);
    await linkWallet(transaction, entityUuid, wallet, clock());
    return linkedWallets(transaction, entityUuid);
  });
  const address = formatWallet(wallet);
  const linkedWallet = linked.find((each) => each.address === address);
  if (linkedWallet === undefined) throw new Error("a wallet that was just linked isn't among those of its entity");
  return linkedWallet;
}

/**
 * Checks that a wallet has signed the text that was given out: with its key, or as a smart account that says so on the text's
 * chain (EIP-1271).
 *
 * @throws ServiceError `invalid_argument` if it hasn't; `unavailable` if the chain can't be asked
 */
async function checkLinkSignature(
  { indexer }: Pick<EntitiesContext, "indexer">,
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
  indexer: EntitiesContext["indexer"],
  request: Parameters<EntitiesContext["indexer"]["checkAccountSignature"]>[0],
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
