import { ConfigError } from "../platform/config/env.ts";
import { DURATION_UNITS, parseQuantity } from "../platform/config/quantity.ts";
import { tokenSymbol } from "./base/token-symbol.ts";
import { isSvmAddress } from "./svm/svm-address.ts";

const MAX_URLS = 8;
const MAX_EXPLORER_URL = 400;
/** The place of the address in an `explorerUrl` isn't in the host, and there are no user name, fragment and other braces. */
const EXPLORER_URL = /^https?:\/\/[^\s/?#@{}]+\/[^\s#{}]*\{address\}[^\s#{}]*$/;

/** The fields of one chain. It notes which are read, so that unknown ones can be refused. */
export class ChainFields {
  readonly #chain: string;
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #known = new Set<string>();

  constructor(chain: string, values: Readonly<Record<string, unknown>>) {
    this.#chain = chain;
    this.#values = values;
  }

  read(field: string, standard?: unknown): unknown {
    this.#known.add(field);
    return Object.hasOwn(this.#values, field) ? this.#values[field] : standard;
  }

  integer(field: string, standard: number | undefined, min: number, max: number): number {
    const value = this.read(field, standard);
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.#refuse(field, `a whole number from ${min} to ${max}`);
  }

  duration(field: string, standard: string, minMs: number, maxMs: number): number {
    const value = this.read(field, standard);
    const millis = typeof value === "string" ? parseQuantity(value, DURATION_UNITS) : undefined;
    if (millis !== undefined && millis >= minMs && millis <= maxMs) return millis;
    return this.#refuse(field, `a duration such as ${standard}, from ${minMs}ms to ${maxMs}ms`);
  }

  publicKey(field: string, standard: string): string {
    return this.optionalPublicKey(field) ?? standard;
  }

  optionalPublicKey(field: string): string | undefined {
    const value = this.read(field);
    return value === undefined || isPublicKey(value) ? value : this.#refuse(field, "base58 of 32 bytes");
  }

  symbol(field: string, standard: string): string {
    const value = this.read(field, standard);
    if (typeof value === "string" && value !== "" && tokenSymbol(value) === value) return value;
    return this.#refuse(field, "1 to 32 visible characters, without < > & and quotation marks");
  }

  choice<Option extends string>(field: string, options: readonly Option[], standard?: Option): Option {
    const value = this.read(field, standard);
    return options.find((option) => option === value) ?? this.#refuse(field, options.join(" or "));
  }

  urls(field: string): readonly string[] {
    const value = this.read(field);
    const given: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_URLS + 1) : [];
    const valid = given.map((url) => urlOf(url, ["http:", "https:"])).filter((url) => url !== undefined);
    const isCount = given.length > 0 && given.length <= MAX_URLS;
    if (isCount && valid.length === given.length) return Object.freeze(valid);
    return this.#refuse(field, `a list of 1 to ${MAX_URLS} http or https URLs without fragment`);
  }

  optionalUrl(field: string, protocols: readonly string[]): string | undefined {
    const value = this.read(field);
    if (value === undefined) return undefined;
    return urlOf(value, protocols) ?? this.#refuse(field, `a URL of ${protocols.join(" or ")} without fragment`);
  }

  optionalExplorer(field: string): string | undefined {
    const value = this.read(field);
    if (value === undefined) return undefined;
    const isShort = typeof value === "string" && value.length <= MAX_EXPLORER_URL;
    if (isShort && EXPLORER_URL.test(value) && URL.canParse(value)) return value;
    return this.#refuse(field, "an http or https URL with {address} once in its path, at most 400 characters");
  }

  refuseOthers(): void {
    const other = Object.keys(this.#values).find((field) => !this.#known.has(field));
    if (other !== undefined) this.#refuse(other, "no such field");
  }

  #refuse(field: string, expected: string): never {
    throw new ConfigError("CHAINS", `${this.#chain}.${field}: expected ${expected}`);
  }
}

function isPublicKey(value: unknown): value is string {
  return typeof value === "string" && isSvmAddress(value);
}

function urlOf(value: unknown, protocols: readonly string[]): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isUsable = protocols.includes(url.protocol) && !url.href.includes("#") && hasReadableCredentials(url);
  return isUsable ? value : undefined;
}

/** Whether the credentials can be decoded: a stray percent sign, for instance, can't. */
function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
