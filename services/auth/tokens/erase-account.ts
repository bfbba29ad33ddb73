import type { EraseAccount } from "../base/erase-account.ts";
import { revokeFamiliesOf } from "./token-families-store.ts";

/** Revokes the codes and tokens of an account. Their rows stay until they expire, so that a replay is still recognised. */
export const eraseAccount: EraseAccount = (transaction, accountUuid, { nowMs }) =>
  revokeFamiliesOf(transaction, { accountUuid }, nowMs);
