import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EraseAccount } from "../base/erase-account.ts";

/** Ends the recovery of an account. */
export const eraseAccount: EraseAccount = async (transaction, accountUuid) => {
  await transaction.deleteFrom("recovery").where("account", "=", bytesOfHex(accountUuid)).execute();
};
