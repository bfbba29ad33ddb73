import type { TokenCheck } from "../base/token-check.ts";
import { tokenSymbol } from "../base/token-symbol.ts";
import { AbiWords } from "./abi-words.ts";
import type { Block } from "./block.ts";
import { callOrAbsent } from "./call-or-absent.ts";
import type { ContractCall } from "./contract-call.ts";
import { ZERO_ADDRESS } from "./evm-address.ts";
import type { EvmEndpoint } from "./evm-endpoint.ts";
import { PinnedBlock } from "./pinned-block.ts";

/**
 * Reads decimals and symbol of a token at a block; those of the chain's own coin are known.
 *
 * @param address lower-case
 * @throws SourceFault if the nodes don't answer
 */
export async function readToken(
  endpoint: EvmEndpoint,
  address: string,
  block: Block,
  signal: AbortSignal,
): Promise<Pick<TokenCheck, "decimals" | "symbol">> {
  if (address === ZERO_ADDRESS) {
    const { coinSymbol } = endpoint;
    return { decimals: COIN_DECIMALS, ...(coinSymbol !== undefined && { symbol: coinSymbol }) };
  }
  const pinned = new PinnedBlock(endpoint, address, block);
  const [decimals, symbol] = await Promise.all([
    callOrAbsent(pinned, DECIMALS, signal),
    callOrAbsent(pinned, SYMBOL, signal),
  ]);
  await pinned.verify(signal);
  return { ...(decimals !== undefined && { decimals }), ...(symbol !== undefined && { symbol }) };
}

/** Reads the same, with what is wrong where there are no decimals. @param address in any case @throws SourceFault if the nodes don't answer */
export async function checkToken(
  endpoint: EvmEndpoint,
  address: string,
  block: Block,
  signal: AbortSignal,
): Promise<TokenCheck> {
  const token = await readToken(endpoint, address.toLowerCase(), block, signal);
  const problem = `no token at ${address} on this chain says its decimals(): check the address`;
  return { address, ...token, ...(token.decimals === undefined && { problem }) };
}

/** Every EVM counts its coin in units of 10^-18. */
const COIN_DECIMALS = 18;
const WORD = 32;
/** A symbol with more bytes has too many characters. */
const MAX_SYMBOL_BYTES = 128;
const MAX_DECIMALS = 255n;

/** `decimals()` of ERC-20. */
const DECIMALS: ContractCall<number> = {
  name: "decimals",
  data: "0x313ce567",
  decode(answer) {
    const decimals = new AbiWords(answer).uint64(0);
    if (decimals > MAX_DECIMALS) throw new RangeError("the decimals have more than 8 bits");
    return Number(decimals);
  },
};

/** `symbol()` of ERC-20; undefined for one that can't be shown. Some old tokens return `bytes32` instead of a `string`. */
const SYMBOL: ContractCall<string | undefined> = {
  name: "symbol",
  data: "0x95d89b41",
  decode(answer) {
    const bytes = symbolBytes(new AbiWords(answer));
    return bytes === undefined ? undefined : tokenSymbol(new TextDecoder().decode(bytes));
  },
};

function symbolBytes(words: AbiWords): Uint8Array | undefined {
  if (words.length === WORD) {
    const padded = words.bytes(0, WORD);
    const end = padded.indexOf(0);
    return padded.subarray(0, end === -1 ? WORD : end);
  }
  const at = words.size(0);
  const length = words.size(at);
  return length > MAX_SYMBOL_BYTES ? undefined : words.bytes(at + WORD, length);
}
