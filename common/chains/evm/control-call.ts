/** Largest init code of a contract, in bytes (EIP-3860). */
const MAX_CODE_BYTES = 49_152;
/** Bytes of the code that copies the data. */
const COPY_BYTES = 8;

const FAILED = `0x${"0".repeat(64)}`;

/**
 * Returns the parameters of an `eth_call` that makes another one from within, by code that belongs to no contract, and answers
 * whether that one succeeds. A call without a contract is code itself: it is run as that of a contract to create. A node that answers has proven that it can execute calls at this block, so that a failure which it
 * reports is the called contract's own, whatever words the node has for it.
 *
 * @returns undefined for a request that isn't such a call, or whose data is too long
 */
export function controlCall(params: readonly unknown[]): readonly unknown[] | undefined {
  const [call, ...block] = params;
  const { to, data, ...rest } = (call ?? {}) as { readonly to?: unknown; readonly data?: unknown };
  if (!isHex(data) || (to !== undefined && !(isHex(to) && to.length === 42))) return undefined;
  const bytes = (data.length - 2) / 2;
  const code = codeBefore(bytes, to === undefined ? createOf(bytes) : callOf(to.slice(2).toLowerCase(), bytes));
  if (code.length / 2 + bytes > MAX_CODE_BYTES) return undefined;
  return [{ ...rest, data: `0x${code}${data.slice(2)}` }, ...block];
}

/** Whether the answer to a control call says that the inner call failed. */
export function saysFailed(answer: unknown): boolean {
  return answer === FAILED;
}

/** Returns the init code up to the data: it copies the data to memory, does something with it, and answers whether that succeeded. */
function codeBefore(bytes: number, work: readonly string[]): string {
  // MSTORE whether it succeeded, and RETURN that word.
  const end = [...work, "6000", "52", "6020", "6000", "f3"].join("");
  const offset = COPY_BYTES + end.length / 2;
  return [sizeOf(bytes), `60${offset.toString(16).padStart(2, "0")}`, "6000", "39", end].join("");
}

/** CALL with all gas, no value and the data, for an answer of no bytes. @param to 40 hex digits */
function callOf(to: string, bytes: number): readonly string[] {
  return ["6000", "6000", sizeOf(bytes), "6000", "6000", `73${to}`, "5a", "f1"];
}

/** CREATE with no value and the data as code; its address, or 0, becomes 1 or 0. */
function createOf(bytes: number): readonly string[] {
  return [sizeOf(bytes), "6000", "6000", "f0", "15", "15"];
}

/** PUSH2 the length of the data. */
function sizeOf(bytes: number): string {
  return `61${bytes.toString(16).padStart(4, "0")}`;
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && /^0x(?:[0-9a-f]{2})*$/i.test(value);
}
