import type { EraseAccount } from "../base/erase-account.ts";
import { deleteRecoveryOf } from "./recoveries-store.ts";

/** Ends the recovery of an account. */
export const eraseAccount: EraseAccount = deleteRecoveryOf;
