import type { Kysely } from "kysely";
import { type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { MAX_LINKED_WALLETS } from "./link-challenge.ts";
import { readWalletLinks } from "./wallet-links-store.ts";

/**
 * Checks that one more wallet may be linked to an entity. One that is linked already needs no room.
 *
 * @throws ServiceError `failed_precondition`
 */
export async function checkRoom(query: Kysely<EntitiesSchema>, entityUuid: string, wallet: Wallet): Promise<void> {
  const links = await readWalletLinks(query, entityUuid);
  if (links.length < MAX_LINKED_WALLETS || links.some((link) => walletKey(link.wallet) === walletKey(wallet))) return;
  const message = `the entity has ${MAX_LINKED_WALLETS} wallets, which is as many as it may; unlink one first`;
  throw new ServiceError("failed_precondition", message);
}
