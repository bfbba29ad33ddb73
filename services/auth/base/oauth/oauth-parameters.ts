import { OAuthError } from "./oauth-error.ts";

/** A parameter as the client sent it. */
export interface OAuthParameter {
  readonly name: string;
  readonly value: string;
}

/** The parameters of an OAuth request (RFC 6749 section 3.1). Empty ones count as absent; unknown ones are ignored. */
export class OAuthParameters {
  readonly #values = new Map<string, string>();
  readonly #repeated = new Set<string>();

  constructor(parameters: readonly OAuthParameter[]) {
    for (const { name, value } of parameters) {
      if (this.#values.has(name)) this.#repeated.add(name);
      this.#values.set(name, value);
    }
  }

  /** @throws OAuthError `invalid_request` for a parameter that was sent more than once. */
  optional(name: string): string | undefined {
    if (this.#repeated.has(name)) throw repeated(name);
    const value = this.#values.get(name);
    return value === "" ? undefined : value;
  }

  /** @throws OAuthError `invalid_request` for a parameter that is absent or was sent more than once. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
    return value;
  }

  /** Returns the value of a parameter that was sent once; undefined for one that is absent, empty or repeated. */
  single(name: string): string | undefined {
    return this.#repeated.has(name) ? undefined : this.#values.get(name) || undefined;
  }

  /** Returns the names of a list with spaces between, of a parameter that was sent once; surplus spaces say nothing. */
  names(name: string): readonly string[] {
    return namesOf(this.single(name) ?? "");
  }

  /**
   * Refuses a request that has any parameter more than once (RFC 6749 sections 3.1 and 3.2).
   *
   * @param known the parameters that the error may name; other names that were sent are never echoed.
   * @throws OAuthError `invalid_request`.
   */
  refuseDuplicates(known: readonly string[]): void {
    const name = known.find((candidate) => this.#repeated.has(candidate));
    if (name !== undefined) throw repeated(name);
    if (this.#repeated.size > 0) throw repeated("an unknown parameter");
  }
}

/** Splits a list of names with spaces between (RFC 6749 section 3.3). Surplus spaces say nothing. */
export function namesOf(list: string): readonly string[] {
  return list.split(" ").filter((name) => name !== "");
}

function repeated(name: string): OAuthError {
  return new OAuthError("invalid_request", `${name} is sent more than once`);
}
