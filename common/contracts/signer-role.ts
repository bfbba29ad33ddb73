import { AbiWords } from "../chains/evm/abi-words.ts";
import type { ContractCall } from "../chains/evm/contract-call.ts";

/** keccak256("PURCHASE_PERMIT_SIGNER_ROLE") */
const PURCHASE_PERMIT_SIGNER_ROLE = "b0162d5e61a8d5e2c26413420aa1072eaa0a79f8be9b289410cf8a1b65ce5386";
const HAS_ROLE = "0x91d14854";
const WORD = 32;

/** `hasRole(bytes32,address)` for the role that signs purchase permits. @param address 0x and 40 hex digits */
export function hasSignerRole(address: string): ContractCall<boolean> {
  return {
    name: "hasRole",
    data: `${HAS_ROLE}${PURCHASE_PERMIT_SIGNER_ROLE}${address.slice(2).toLowerCase().padStart(64, "0")}`,
    decode(answer) {
      const words = new AbiWords(answer);
      if (words.length !== WORD) throw new RangeError("the answer isn't one word");
      return words.bool(0);
    },
  };
}
