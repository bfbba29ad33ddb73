/** Largest init code of a contract, in bytes (EIP-3860). */
const MAX_CODE_BYTES = 49_152;
/** Bytes of the code before the data. */
const DATA_OFFSET = 0x32;

const FAILED = `0x${"0".repeat(64)}`;

/**
 * Returns the parameters of an `eth_call` that makes another one from within, by code that belongs to no contract, and answers
 * whether that one succeeds. A node that answers has proven that it can execute calls at this block, so that a failure which it
 * reports is the called contract's own, whatever words the node has for it.
 *
 * @returns undefined for a request that isn't such a call, or whose data is too long
 */
export function controlCall(params: readonly unknown[]): readonly unknown[] | undefined {
  const [call, ...block] = params;
  const { to, data, ...rest } = (call ?? {}) as { readonly to?: unknown; readonly data?: unknown };
  if (!isHex(to) || to.length !== 42 || !isHex(data)) return undefined;
  const bytes = (data.length - 2) / 2;
  if (DATA_OFFSET + bytes > MAX_CODE_BYTES) return undefined;
  return [{ ...rest, data: `0x${codeOf(to.slice(2).toLowerCase(), bytes)}${data.slice(2)}` }, ...block];
}

/** Whether the answer to a control call says that the inner call failed. */
export function saysFailed(answer: unknown): boolean {
  return answer === FAILED;
}

/** The init code, up to the data of the inner call. @param to 40 hex digits */
function codeOf(to: string, bytes: number): string {
  const size = `61${bytes.toString(16).padStart(4, "0")}`;
  const offset = `60${DATA_OFFSET.toString(16)}`;
  return [
    // CODECOPY the data to memory.
    ...[size, offset, "6000", "39"],
    // CALL with all gas, no value and the data, for an answer of no bytes.
    ...["6000", "6000", size, "6000", "6000", `73${to}`, "5a", "f1"],
    // MSTORE whether it succeeded, and RETURN that word.
    ...["6000", "52", "6020", "6000", "f3"],
  ].join("");
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && /^0x(?:[0-9a-f]{2})*$/i.test(value);
}
