import type { WalletKindName } from "../../services/entities/base/wallet-tables.ts";
import { EVM_PERMIT_FORMAT, type Permit, type PermitFormat, SVM_PERMIT_FORMAT } from "./base/permit.ts";
import { encodeEvmPermit } from "./evm/evm-permit.ts";
import { encodeSvmPermit } from "./svm/svm-permit.ts";

export const PERMIT_FORMATS: Readonly<Record<WalletKindName, PermitFormat>> = {
  evm: EVM_PERMIT_FORMAT,
  svm: SVM_PERMIT_FORMAT,
};

const ENCODERS: Readonly<Record<WalletKindName, (permit: Permit) => Uint8Array>> = {
  evm: encodeEvmPermit,
  svm: encodeSvmPermit,
};

/** Encodes a permit as the contracts of a kind of chain read it. @throws RangeError for a field that doesn't fit */
export function encodePermit(kind: WalletKindName, permit: Permit): Uint8Array {
  return ENCODERS[kind](permit);
}
