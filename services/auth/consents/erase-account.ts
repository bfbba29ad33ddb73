import type { EraseAccount } from "../base/erase-account.ts";
import { deleteConsents } from "./consents-store.ts";

/** Removes the consents of an account. */
export const eraseAccount: EraseAccount = async (transaction, accountUuid) => {
  await deleteConsents(transaction, { accountUuid });
};
