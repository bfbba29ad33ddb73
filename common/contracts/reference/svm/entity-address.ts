import { Buffer } from "node:buffer";
import { base58 } from "@scure/base";
import { derivedAddress } from "../../../chains/svm/derived-address.ts";

/** A sale account, and the program that it belongs to. Both base58. */
export interface SaleOfProgram {
  readonly program: string;
  readonly saleAccount: string;
}

/** Where the reference program has the account of an entity. @param entityId 32 lower-case hex digits */
export function entityAddress({ program, saleAccount }: SaleOfProgram, entityId: string): string | undefined {
  const seeds = [Buffer.from("entity_state"), base58.decode(saleAccount), Buffer.from(entityId, "hex")];
  return derivedAddress(program, seeds);
}

/** Where the reference program has the account of a sale. @param saleUuid canonical text */
export function saleAddress(program: string, saleUuid: string): string | undefined {
  return derivedAddress(program, [Buffer.from("settlement_sale"), Buffer.from(saleUuid.replaceAll("-", ""), "hex")]);
}
