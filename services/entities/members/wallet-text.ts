import { formatWallet } from "../../../common/chains/wallet.ts";

/** The length of an EVM address. */
const EVM_BYTES = 20;

/** Writes the address of a wallet whose kind its length tells. */
export function walletText(bytes: Uint8Array): string {
  return formatWallet({ kind: bytes.length === EVM_BYTES ? "evm" : "svm", bytes });
}
