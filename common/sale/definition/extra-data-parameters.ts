import { type AbiMember, AbiParameterError, abiMembers } from "./abi-type.ts";

const MAX_CHARACTERS = 2000;

/**
 * Reads the parameter list of a sale's extra data (`extra_data_parameters` of the contract), such as
 * `uint64 tier, address referrer`; blank text is an empty list. Any other text loads viem, which parses it. Throws an
 * `AbiParameterError` for text that is longer than 2000 characters or isn't a parameter list, and if a parameter has no name;
 * see `abiMembers` for the rest.
 */
export async function parseExtraDataParameters(text: string): Promise<readonly AbiMember[]> {
  if (text.trim() === "") return [];
  if (text.length > MAX_CHARACTERS) throw new AbiParameterError(`at most ${MAX_CHARACTERS} characters`);
  const parameters = await parseParameters(text.trim());
  if (!parameters.every((parameter) => parameter.name !== undefined)) {
    throw new AbiParameterError("every parameter must have a name");
  }
  return abiMembers(parameters);
}

async function parseParameters(text: string) {
  const { parseAbiParameters } = await import("viem/utils");
  try {
    return parseAbiParameters(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split("\n", 1)[0] : undefined;
    throw new AbiParameterError(`not a list of ABI parameters${message ? `: ${message}` : ""}`, { cause });
  }
}
