import { OAuthError } from "./oauth-error.ts";

/** A parameter as it was sent. */
export interface OAuthParameter {
  readonly name: string;
  readonly value: string;
}

/** The parameters of an OAuth request (RFC 6749 section 3.1): an empty one counts as absent, unknown ones are ignored. */
export class OAuthParameters {
  readonly #values = new Map<string, string>();
  readonly #doubled = new Set<string>();

  constructor(parameters: readonly OAuthParameter[]) {
    for (const { name, value } of parameters) {
      if (this.#values.has(name)) this.#doubled.add(name);
      this.#values.set(name, value);
    }
  }

  /** @throws OAuthError `invalid_request` where it was sent twice. */
  optional(name: string): string | undefined {
    if (this.#doubled.has(name)) throw doubled(name);
    const value = this.#values.get(name);
    return value === "" ? undefined : value;
  }

  /** @throws OAuthError `invalid_request` where it is absent or was sent twice. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
    return value;
  }

  /** Whether it was sent once, with exactly this value. */
  is(name: string, value: string): boolean {
    return !this.#doubled.has(name) && this.#values.get(name) === value;
  }

  /**
   * A request has no parameter twice, known or not (RFC 6749 sections 3.1 and 3.2).
   *
   * @param known those that the refusal may name; nothing else that was sent is repeated.
   * @throws OAuthError `invalid_request`.
   */
  refuseDuplicates(known: readonly string[]): void {
    const name = known.find((candidate) => this.#doubled.has(candidate));
    if (name !== undefined) throw doubled(name);
    if (this.#doubled.size > 0) throw doubled("an unknown parameter");
  }
}

function doubled(name: string): OAuthError {
  return new OAuthError("invalid_request", `${name} is sent more than once`);
}
