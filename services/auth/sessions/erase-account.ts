import type { EraseAccount } from "../base/erase-account.ts";
import { endAllSessions, endCodeSessions } from "./sessions-store.ts";

/** Ends all sessions of an account. */
export const eraseAccount: EraseAccount = endAllSessions;

/** Ends the sessions of an account that began with a code. */
export const eraseCodeSessions: EraseAccount = endCodeSessions;
