import { anyAddressForm, canonicalAddress } from "../../../common/chains/addresses.ts";
import { UsageError } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";

const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;
const MAX_URLS = 8;

/**
 * The address in an option, in its canonical form; undefined without the option.
 *
 * @throws UsageError for no address
 */
export function addressOf(input: CommandInput, option: "contract" | "program" | "wallet"): string | undefined {
  const text = input.text(option);
  if (text === undefined) return undefined;
  const canonical = canonicalAddress(text);
  if (canonical !== undefined) return canonical;
  throw new UsageError(`--${option} ${anyAddressForm}`);
}

/** The value of `--chain-id`, 1 to 2^53-1; undefined without it. @throws UsageError for anything else */
export function chainIdOf(input: CommandInput): bigint | undefined {
  const text = input.text("chain-id");
  if (text === undefined) return undefined;
  if (WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text))) return BigInt(text);
  throw new UsageError("--chain-id expects a whole number from 1 to 2^53-1");
}

/** The values of `--rpc`. @throws UsageError without one, and for anything but `http:` and `https:` URLs. It never repeats a URL, which may hold a key */
export function nodeUrlsOf(input: CommandInput): readonly string[] {
  const urls = input.texts("rpc");
  if (urls.length === 0) throw new UsageError("--rpc is missing: the URL of a node of the sale's chain");
  if (urls.length > MAX_URLS) throw new UsageError(`--rpc may be given ${MAX_URLS} times`);
  if (!urls.every(isNodeUrl)) throw new UsageError("--rpc expects an http or https URL");
  return urls;
}

function isNodeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ["http:", "https:"].includes(protocol) && isDecodable(username) && isDecodable(password);
}

/** Whether `decodeURIComponent` takes a text: a stray percent sign, for instance, can't be decoded. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
