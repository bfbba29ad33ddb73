import type { EraseAccount } from "../base/erase-account.ts";
import { deleteChallenges } from "./challenges-store.ts";
import { deletePasskeys } from "./passkeys-store.ts";

/** Deletes the passkeys of an account. */
export const eraseAccount: EraseAccount = async (transaction, accountUuid) => {
  await deletePasskeys(transaction, accountUuid);
  await deleteChallenges(transaction, accountUuid);
};
