import type { EraseAccount } from "../base/erase-account.ts";
import { endAllSessions } from "./sessions-store.ts";

/** Ends all sessions of an account. */
export const eraseAccount: EraseAccount = endAllSessions;
