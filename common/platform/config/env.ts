import { ConfigError } from "./config-error.ts";
import { BYTE_UNITS, DURATION_UNITS, parseQuantity, type Units } from "./quantity.ts";
import { readValueFile } from "./value-file.ts";

export { ConfigError };

/** A value must lie between `min` and `max`, both included. Without a default the variable is required. */
export interface Bounds<T> {
  readonly default?: T;
  readonly min: T;
  readonly max: T;
}

/** Schemes like `URL.protocol`, with the colon. */
export interface UrlOptions {
  readonly protocols: readonly `${string}:`[];
  /** Whether what reads the URL uses a user name and password in it; refused by default, as messages of `fetch` show them. */
  readonly mayHaveCredentials?: boolean;
}

/** A value that may change while the process runs. */
export interface Renewable {
  /**
   * Reads the current value: the content of its file, if it comes from one.
   *
   * @throws ConfigError if the file can't be read now
   */
  read(): string;
}

interface Setting {
  readonly text: string;
  /** The text for error messages. It hides a value that came from a file, which may be a secret. */
  readonly shown: string;
}

const SHOWN_CHARACTERS = 40;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["off", false],
  ["0", false],
]);

/**
 * A typed reader of environment variables. Every variable `NAME` may instead come from the file that `NAME_FILE` names,
 * without one line break at its end. An empty variable counts as unset. Every method throws `ConfigError`.
 */
export class Env {
  readonly #variables: Readonly<Record<string, string | undefined>>;

  constructor(variables: Readonly<Record<string, string | undefined>>) {
    this.#variables = variables;
  }

  /** Whether the variable, or its `_FILE` variant, is set to any value, valid or not. */
  isSet(name: string): boolean {
    return [name, `${name}_FILE`].some((each) => (this.#variables[each] ?? "") !== "");
  }

  string(name: string, defaultValue?: string): string {
    return this.#read(name)?.text ?? defaultValue ?? missing(name, "a value");
  }

  optionalString(name: string): string | undefined {
    return this.#read(name)?.text;
  }

  /** A required value that no error message ever shows. */
  secret(name: string): string {
    return this.#read(name)?.text ?? missing(name, "a secret");
  }

  optionalSecret(name: string): string | undefined {
    return this.#read(name)?.text;
  }

  /** An optional value whose file may be replaced while the process runs, like a certificate. Errors never show it. */
  optionalRenewable(name: string): Renewable | undefined {
    if (this.#read(name) === undefined) return undefined;
    return { read: () => this.secret(name) };
  }

  integer(name: string, bounds: Bounds<number>): number {
    const expected = `an integer from ${bounds.min} to ${bounds.max}`;
    const setting = this.#read(name);
    if (setting === undefined) return bounds.default ?? missing(name, expected);
    const value = /^-?\d{1,16}$/.test(setting.text) ? Number(setting.text) : Number.NaN;
    return value >= bounds.min && value <= bounds.max ? value : refuse(name, expected, setting);
  }

  /** A TCP port; 0 means any free port. */
  port(name: string, defaultValue: number): number {
    return this.integer(name, { default: defaultValue, min: 0, max: 65_535 });
  }

  /** A duration such as `250ms`, `1s`, `10m`, `24h` or `30d`, in milliseconds. The bounds are such texts too. */
  duration(name: string, bounds: Bounds<string>): number {
    return this.#quantity(name, bounds, "a duration", DURATION_UNITS);
  }

  /** A size such as `512`, `64KiB`, `32MiB` or `1GiB`, in bytes. The bounds are such texts too. */
  bytes(name: string, bounds: Bounds<string>): number {
    return this.#quantity(name, bounds, "a size", BYTE_UNITS);
  }

  choice<T extends string>(name: string, options: readonly T[], defaultValue?: T): T {
    const expected = `one of ${options.join(", ")}`;
    const setting = this.#read(name);
    if (setting === undefined) return defaultValue ?? missing(name, expected);
    return options.find((option) => option === setting.text) ?? refuse(name, expected, setting);
  }

  /** `true`, `on` or `1`; `false`, `off` or `0`. */
  boolean(name: string, defaultValue: boolean): boolean {
    const setting = this.#read(name);
    if (setting === undefined) return defaultValue;
    return BOOLEANS.get(setting.text) ?? refuse(name, `one of ${[...BOOLEANS.keys()].join(", ")}`, setting);
  }

  /** An absolute URL. Errors never show it: it may contain a password. */
  url(name: string, defaultValue: string | undefined, options: UrlOptions): URL {
    const text = this.#read(name)?.text ?? defaultValue ?? missing(name, urlExpected(options));
    return parseUrl(name, text, options);
  }

  /** Absolute URLs of one scheme, separated by commas, with no URL twice. Errors never show them. */
  urls(name: string, defaultValue: string | undefined, options: UrlOptions): readonly string[] {
    const text = this.#read(name)?.text ?? defaultValue ?? missing(name, urlExpected(options));
    const urls = text.split(",").map((each) => parseUrl(name, each.trim(), options));
    const hrefs = urls.map(({ href }) => href);
    if (new Set(hrefs).size !== hrefs.length) throw new ConfigError(name, "expected no URL twice");
    if (new Set(urls.map(({ protocol }) => protocol)).size === 1) return Object.freeze(hrefs);
    throw new ConfigError(name, "expected URLs of one scheme");
  }

  /** Like `urls`; undefined where the setting isn't set. */
  optionalUrls(name: string, options: UrlOptions): readonly string[] | undefined {
    return this.#read(name) === undefined ? undefined : this.urls(name, undefined, options);
  }

  optionalUrl(name: string, options: UrlOptions): URL | undefined {
    const setting = this.#read(name);
    return setting === undefined ? undefined : parseUrl(name, setting.text, options);
  }

  #quantity(name: string, bounds: Bounds<string>, what: string, units: Units): number {
    const expected = `${what} from ${bounds.min} to ${bounds.max}`;
    const setting = this.#read(name);
    const text = setting?.text ?? bounds.default ?? missing(name, expected);
    const [value, min, max] = [text, bounds.min, bounds.max].map((each) => parseQuantity(each, units));
    if (min === undefined || max === undefined) throw new TypeError(`bounds of ${name} must be ${what}`);
    if (value !== undefined && value >= min && value <= max) return value;
    return refuse(name, expected, setting ?? { text, shown: `the default ${text}` });
  }

  #read(name: string): Setting | undefined {
    const text = this.#variables[name];
    const path = this.#variables[`${name}_FILE`];
    const isSet = text !== undefined && text !== "";
    if (path === undefined || path === "") return isSet ? { text, shown: shorten(text) } : undefined;
    if (isSet) throw new ConfigError(name, `expected either ${name} or ${name}_FILE, both are set`);
    return { text: readValueFile(`${name}_FILE`, path), shown: "the content of a file" };
  }
}

function parseUrl(name: string, text: string, options: UrlOptions): URL {
  const url = URL.parse(text);
  if (url === null || !options.protocols.some((protocol) => protocol === url.protocol)) {
    throw new ConfigError(name, `expected ${urlExpected(options)}`);
  }
  if (options.mayHaveCredentials || (url.username === "" && url.password === "")) return url;
  throw new ConfigError(name, "expected no user name or password in the URL");
}

function urlExpected({ protocols }: UrlOptions): string {
  return `an absolute URL that begins with ${protocols.join(" or ")}`;
}

function shorten(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
}

function missing(name: string, expected: string): never {
  throw new ConfigError(name, `expected ${expected}, it is not set`);
}

function refuse(name: string, expected: string, setting: Setting): never {
  throw new ConfigError(name, `expected ${expected}, got ${setting.shown}`);
}
