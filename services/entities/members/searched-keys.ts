import { isWallet, readWallet } from "../../../common/chains/wallet.ts";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import { emailKey, type MemberKey } from "./member-key.ts";

const ENTITY_ID = /^(?:0x)?([0-9a-fA-F]{32})$/;

/** Returns the keys that a text may be: an e-mail address, an entity ID or a wallet; none if it is nothing of these. */
export function searchedKeys(search: string): readonly MemberKey[] {
  const text = search.trim();
  const [, entity] = ENTITY_ID.exec(text) ?? [];
  if (entity !== undefined) return [{ kind: "entity", value: messageBytes(entity) }];
  if (text.includes("@")) return emailKeys(text);
  const wallets = [readWallet("evm", text.startsWith("0x") ? text.toLowerCase() : text), readWallet("svm", text)];
  return wallets.filter(isWallet).map(({ bytes }) => ({ kind: "wallet", value: bytes }));
}

function emailKeys(text: string): readonly MemberKey[] {
  try {
    return [emailKey(parseEmailAddress(text))];
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}
