import type { ChainFamily } from "./base/chain-family.ts";
import { isPersonalSignature } from "./evm/personal-signature.ts";
import { isTextSignature } from "./svm/ed25519-signature.ts";
import type { Wallet } from "./wallet.ts";

/** The signatures of the wallets of a family of chains. */
interface SignatureScheme {
  /** Whether the key of an address has signed a text. */
  isSigned(address: Uint8Array, text: string, signature: Uint8Array): boolean;
  /** Whether a wallet may be a smart account, which has no key and says itself whether it has signed (EIP-1271). */
  readonly hasSmartAccounts: boolean;
}

const SCHEMES: Readonly<Record<ChainFamily, SignatureScheme>> = {
  evm: { isSigned: isPersonalSignature, hasSmartAccounts: true },
  svm: { isSigned: isTextSignature, hasSmartAccounts: false },
};

/** Whether the wallet's own key has signed a text. Signatures that others could derive from one don't count. */
export function isSignedByKey({ kind, bytes }: Wallet, text: string, signature: Uint8Array): boolean {
  return SCHEMES[kind].isSigned(bytes, text, signature);
}

/** Whether a wallet may be a smart account. */
export function maySignAsAccount({ kind }: Pick<Wallet, "kind">): boolean {
  return SCHEMES[kind].hasSmartAccounts;
}
