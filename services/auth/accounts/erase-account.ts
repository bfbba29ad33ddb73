import type { EraseAccount } from "../base/erase-account.ts";
import { deleteKnownNetworks } from "./known-networks-store.ts";

/** Deletes the networks from which a person has signed in. */
export const eraseAccount: EraseAccount = deleteKnownNetworks;
