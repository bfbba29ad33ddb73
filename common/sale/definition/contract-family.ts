import {
  ContractFamily as ContractFamilyMessage,
  ContractFamilySchema,
} from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { enumNumber } from "../../platform/encoding/enum-name.ts";

/** A family of contracts on EVM chains besides the reference contract's: `cca` is Uniswap's Continuous Clearing Auction. */
export type ContractFamily = "cca";

const MESSAGES: Readonly<Record<ContractFamily, ContractFamilyMessage>> = { cca: ContractFamilyMessage.CCA };

/** @returns undefined for the family of the reference contract */
export function contractFamilyOf(message: ContractFamilyMessage): ContractFamily | undefined {
  return message === ContractFamilyMessage.CCA ? "cca" : undefined;
}

/** Returns the family of a name in lower case, as forms have it; undefined for any other text, and for the reference contract's. */
export function contractFamilyNamed(name: string): ContractFamily | undefined {
  return contractFamilyOf(enumNumber(ContractFamilySchema, name) ?? ContractFamilyMessage.UNSPECIFIED);
}

/** @param family undefined for that of the reference contract */
export function contractFamilyMessage(family: ContractFamily | undefined): ContractFamilyMessage {
  return family === undefined ? ContractFamilyMessage.UNSPECIFIED : MESSAGES[family];
}

/** Whether an entity may have several commitments: where it is an owner, who may bid again and again. @param family as above */
export function mayBidAgain(family: ContractFamily | undefined): boolean {
  return family === "cca";
}

/** Whether contracts mark the commitments of which they have paid back what isn't accepted. @param family as above */
export function marksRefunds(family: ContractFamily | undefined): boolean {
  return family === undefined;
}

/**
 * Whether a hook checks the permits of such a contract's sale instead of the contract. It takes no lockup and no payload of a settlement
 * sale, and rules bound no price of its permits (docs/permit-hook.md).
 */
export function hasPermitHook(family: ContractFamily | undefined): boolean {
  return family === "cca";
}
