import type { EraseAccount } from "../base/erase-account.ts";
import { endSessionsOf } from "./sessions-store.ts";

/** Ends all sessions of an account. */
export const eraseAccount: EraseAccount = endSessionsOf;
