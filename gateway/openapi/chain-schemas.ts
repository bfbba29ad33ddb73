import { digits, type Json, text } from "./schema-parts.ts";

/** A wallet, token or contract as amounts have it. */
export const ADDRESS = text("An EVM address as lower-case hex, or an SVM address in base58.");
/** A contract, or what is one on Solana. */
export const SALE_ADDRESS = text("An EVM address as lower-case hex, or the sale account in base58.");
/** The signer of permits. */
export const SIGNER = text(
  "Who signs purchase permits for the contract now: an EVM address as lower-case hex, or a public key in base58. Absent for a sale without permits, and where it isn't known.",
);
/** A wallet that is looked up. */
export const LOOKED_UP_WALLET: Json = {
  ...text("An EVM address, whose checksum must be right where it has one, or an SVM address in base58."),
  minLength: 32,
  maxLength: 44,
};
/** The same wallet in the answer. */
export const FOUND_WALLET = text("The wallet as amounts have it: an EVM address in lower case.");
/** The wallet of a request for a permit. */
export const BIDDER: Json = {
  type: "string",
  pattern: "^[0-9A-Za-z]{1,64}$",
  description:
    "The wallet that will bid: an EVM address, with the EIP-55 checksum where it is in mixed case, or an SVM address.",
};
/** The wallet of a permit. */
export const PERMIT_WALLET = text("The wallet that may bid: EVM with the EIP-55 checksum, SVM in base58.");
/** The signature of a permit. */
export const PERMIT_SIGNATURE: Json = {
  type: "string",
  pattern: "^0x([0-9a-f]{128}|[0-9a-f]{130})$",
  description: "EVM: 65 bytes (r, s, v) over the ABI encoding, as of EIP-191. SVM: 64 bytes of ed25519 over Borsh.",
};
const UNBOUNDED = "Without a bound 2^256-1, on SVM 2^64-1.";

/** Returns an upper bound of amounts. @param description a sentence */
export function mostAmount(description: string): Json {
  return digits(`${description} ${UNBOUNDED}`);
}
