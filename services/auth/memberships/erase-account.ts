import type { EraseAccount } from "../base/erase-account.ts";
import { deleteFounder } from "./founders-store.ts";
import { leaveAllSales } from "./members-store.ts";

/** Removes an account from its sales and from the founders. The only owner of a sale can't leave it. */
export const eraseAccount: EraseAccount = async (transaction, accountUuid, { dialect }) => {
  await leaveAllSales(transaction, dialect, accountUuid);
  await deleteFounder(transaction, accountUuid);
};
