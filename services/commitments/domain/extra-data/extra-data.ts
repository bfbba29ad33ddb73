import { COMMITMENT_LIMITS } from "../../../shared/commitment-record/commitment-limits.ts";
import { AbiDecodingError, type AbiValue, decodeAbi } from "./abi-decode.ts";
import { type AbiMember, AbiParameterError } from "./abi-type.ts";
import { parseExtraDataParameters } from "./extra-data-parameters.ts";

/** The values by parameter name; `{}` for data that doesn't decode. Never throws. */
export type ExtraDataParser = (data: Uint8Array) => { [name: string]: AbiValue };

/** What the hex of the longest data takes: parsed extra data never takes more than raw extra data may. */
const MAX_CHARACTERS = 2 * COMMITMENT_LIMITS.extraDataBytes;

/**
 * Makes the parser of a sale's extra data from its parameter list. Empty parameters make one that answers `{}`, and so
 * do parameters that are invalid, which a checked definition doesn't have: a sale stays readable whatever its extra data.
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
