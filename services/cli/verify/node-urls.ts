import { UsageError } from "../base/cli-error.ts";
import type { CommandInput } from "../base/command.ts";

const MAX_URLS = 8;

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
