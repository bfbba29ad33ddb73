import { type AbiMember, AbiParameterError } from "../definition/abi-type.ts";
import { parseExtraDataParameters } from "../definition/extra-data-parameters.ts";
import { COMMITMENT_LIMITS } from "../record/commitment-limits.ts";
import { AbiDecodingError, type AbiValue, decodeAbi } from "./abi-decode.ts";

/** Parses extra data to values by parameter name; `{}` for data that doesn't decode. Never throws. */
export type ExtraDataParser = (data: Uint8Array) => { [name: string]: AbiValue };

/** The length of the longest data in hex: parsed extra data may take as much as raw extra data, not more. */
const MAX_CHARACTERS = 2 * COMMITMENT_LIMITS.extraDataBytes;

/**
 * Makes the parser of a sale's extra data from its parameter list. For empty parameters it always answers `{}`, and
 * for invalid ones too (a checked definition has none): a sale stays readable whatever its extra data.
 */
export async function createExtraDataParser(parameters: string): Promise<ExtraDataParser> {
  const members = await membersOf(parameters);
  if (members.length === 0) return () => ({});
  return (data) => (data.length > COMMITMENT_LIMITS.extraDataBytes ? {} : parse(members, data));
}

async function membersOf(parameters: string): Promise<readonly AbiMember[]> {
  try {
    return await parseExtraDataParameters(parameters);
  } catch (error) {
    if (error instanceof AbiParameterError) return [];
    throw error;
  }
}

function parse(members: readonly AbiMember[], data: Uint8Array): { [name: string]: AbiValue } {
  try {
    return decodeAbi(members, data, MAX_CHARACTERS);
  } catch (error) {
    if (error instanceof AbiDecodingError) return {};
    throw error;
  }
}
