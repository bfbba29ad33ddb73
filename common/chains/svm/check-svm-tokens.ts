import type { SolanaRpcApi } from "@solana/rpc";
import type { SvmChain } from "../base/chain.ts";
import type { TokenCheck } from "../base/token-check.ts";
import { tokenSymbol } from "../base/token-symbol.ts";
import { type OwnedAccount, ownedAccountList } from "./account-answer.ts";
import { readHalving } from "./call-too-large.ts";
import { isSvmAddress } from "./svm-address.ts";
import type { SvmRpc } from "./svm-rpc.ts";

/** A type that the library distinguishes although its values are strings. */
type RpcAddress = Parameters<SolanaRpcApi["getMultipleAccounts"]>[0][number];

/** An account in which a token was looked for; `refused` if the nodes read it in no call. */
type TokenAccount = OwnedAccount | "refused" | undefined;

/** Reads decimals and symbols of mints. @throws SourceFault if the nodes don't answer */
export async function checkSvmTokens(
  { commitment }: Pick<SvmChain, "commitment">,
  addresses: readonly string[],
  rpc: SvmRpc,
  signal: AbortSignal,
): Promise<readonly TokenCheck[]> {
  const svmAddresses = addresses.filter(isSvmAddress);
  const read = (part: readonly string[]) => readAccounts(part, commitment, rpc, signal);
  const accounts = await readHalving<string, TokenAccount>(svmAddresses, read, () => "refused");
  const accountsByAddress = new Map(svmAddresses.map((address, index) => [address, accounts[index]]));
  return addresses.map((address) => tokenCheck(address, accountsByAddress.get(address)));
}

async function readAccounts(
  addresses: readonly string[],
  commitment: SvmChain["commitment"],
  rpc: SvmRpc,
  signal: AbortSignal,
): Promise<readonly (OwnedAccount | undefined)[]> {
  const config = { commitment, encoding: "base64" } as const;
  const methods = await rpc();
  const answer: unknown = await methods
    .getMultipleAccounts(addresses as RpcAddress[], config)
    .send({ abortSignal: signal });
  return ownedAccountList(answer, addresses.length);
}

function tokenCheck(address: string, account: TokenAccount): TokenCheck {
  if (account === "refused")
    return { address, problem: `the chain's nodes refuse to read ${address}: check the address` };
  const mint = account !== undefined && TOKEN_PROGRAMS.has(account.owner) ? decodeTokenMint(account.data) : undefined;
  if (mint !== undefined) return { address, ...mint };
  return { address, problem: `there is no token mint at ${address} on this chain: check the address` };
}

/** The token programs of Solana, whose mints begin with the same fields. */
const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
]);

const MINT_BYTES = 82;
const DECIMALS_OFFSET = 44;
const INITIALIZED_OFFSET = 45;
/** Offset of the extensions of Token-2022: after the mint, padded to the size of a token account, and the account's type. */
const ACCOUNT_TYPE_OFFSET = 165;
const MINT_ACCOUNT_TYPE = 1;
const EXTENSIONS_OFFSET = 166;
const EXTENSION_HEADER_BYTES = 4;
/** The extension `TokenMetadata`: two keys of 32 bytes, then name, symbol and more, each with its length. */
const METADATA_EXTENSION = 19;
const METADATA_NAME_OFFSET = 64;
const LENGTH_BYTES = 4;
/** A symbol with more bytes has too many characters. */
const MAX_SYMBOL_BYTES = 128;

interface TokenMint {
  readonly decimals: number;
  /** Absent if the mint has none that can be shown. */
  readonly symbol?: string;
}

/** Decodes the account of a token program. @returns undefined if it is no initialised mint */
export function decodeTokenMint(data: Uint8Array): TokenMint | undefined {
  const isMint = data.length === MINT_BYTES || data[ACCOUNT_TYPE_OFFSET] === MINT_ACCOUNT_TYPE;
  const decimals = data[DECIMALS_OFFSET];
  if (!isMint || decimals === undefined || data[INITIALIZED_OFFSET] !== 1) return undefined;
  const symbol = symbolOf(data);
  return { decimals, ...(symbol !== undefined && { symbol }) };
}

function symbolOf(data: Uint8Array): string | undefined {
  try {
    const metadata = extensionOf(data, METADATA_EXTENSION);
    if (metadata === undefined) return undefined;
    const view = viewOf(metadata);
    const at = METADATA_NAME_OFFSET + LENGTH_BYTES + view.getUint32(METADATA_NAME_OFFSET, true);
    const length = view.getUint32(at, true);
    const bytes = metadata.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length);
    if (length > MAX_SYMBOL_BYTES || bytes.length !== length) return undefined;
    return tokenSymbol(new TextDecoder().decode(bytes));
  } catch (error) {
    // A length that leads out of the account.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Finds an extension among the type-length-value entries of a mint. @throws RangeError if they lead out of the account */
function extensionOf(data: Uint8Array, extensionType: number): Uint8Array | undefined {
  const view = viewOf(data);
  for (let at = EXTENSIONS_OFFSET; at + EXTENSION_HEADER_BYTES <= data.length; ) {
    const type = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    const from = at + EXTENSION_HEADER_BYTES;
    if (type === extensionType) return data.subarray(from, from + length);
    at = from + length;
  }
  return undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
