import type { ServiceImpl } from "@connectrpc/connect";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { LinkedWallet } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { WalletService } from "../../../proto/gen/tidemark/entities/v1/wallet_service_pb.ts";
import { lockOwnEntity } from "../entities/own-entity.ts";
import { checkLinkSignature } from "./check-link-signature.ts";
import type { WalletDependencies } from "./dependencies.ts";
import type { LinkChallenge } from "./link-challenge.ts";
import { returnChallenge, takeChallenge } from "./link-challenges-store.ts";
import { checkRoom } from "./linked-number.ts";
import { requireSession } from "./require-session.ts";
import { linkWallet } from "./wallet-links-store.ts";

/** A text's signature is checked once: whoever sends a wrong one begins again. */
export function completeWalletLink(
  dependencies: WalletDependencies,
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
  dependencies: WalletDependencies,
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
  { database, clock, linkedWallets }: WalletDependencies,
  { accountUuid, entityUuid, wallet }: LinkChallenge,
): Promise<LinkedWallet> {
  const linked = await database.writeLocked(async (transaction) => {
    await lockOwnEntity(transaction, database.dialect, entityUuid, accountUuid);
    await checkRoom(transaction, entityUuid, wallet);
    await linkWallet(transaction, entityUuid, wallet, clock());
    return linkedWallets(transaction, entityUuid);
  });
  const address = formatWallet(wallet);
  const found = linked.find((each) => each.address === address);
  if (found === undefined) throw new Error("a wallet that was just linked isn't among those of its entity");
  return found;
}
