import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { SIGNED_IN_WITH_CODE } from "../base/authentication-method.ts";
import type { EraseAccount } from "../base/erase-account.ts";

/** Revokes the codes and tokens of an account for which its owner had signed in with a code from an e-mail. */
export const revokeCodeSignIns: EraseAccount = async (transaction, accountUuid, { nowMs }) => {
  const account = bytesOfHex(accountUuid);
  // Codes first: this waits for an exchange that is under way, whose family can be revoked afterwards.
  await transaction
    .deleteFrom("authorization_code")
    .where("account", "=", account)
    .where("redeemed_at_ms", "is", null)
    .where(SIGNED_IN_WITH_CODE)
    .execute();
  await transaction
    .updateTable("token_family")
    .set({ revoked_at_ms: nowMs })
    .where("account", "=", account)
    .where("revoked_at_ms", "is", null)
    .where(SIGNED_IN_WITH_CODE)
    .execute();
};
