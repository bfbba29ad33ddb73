import type { EraseAccount } from "../base/erase-account.ts";
import { deleteKnownNetworks } from "../mailed-codes/known-networks-store.ts";
import { deletePasses } from "./recovery-passes-store.ts";

/** Deletes the networks from which a person has signed in, and the passes of codes that signed nobody in. */
export const eraseAccount: EraseAccount = async (transaction, accountUuid) => {
  await deleteKnownNetworks(transaction, accountUuid);
  await deletePasses(transaction, accountUuid);
};
