import type { MockDocument, Operation } from "./document.ts";
import type { JsonObject } from "./json.ts";
import { MockError } from "./mock-error.ts";
import type { SaleFigures } from "./sale-figures.ts";
import type { States } from "./states.ts";
import type { Grant, TokenStore } from "./tokens.ts";

/** The services that all calls share. */
export interface MockServices {
  readonly document: MockDocument;
  readonly figures: SaleFigures;
  readonly tokens: TokenStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A request of an operation. */
export interface MockCall extends MockServices {
  readonly operation: Operation;
  readonly states: States;
  /** The origin at which the mock was called. */
  readonly origin: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Parameters of the path and fields of the body. */
  readonly fields: JsonObject;
  /** The access token's grant, where the operation wants a token. */
  readonly grant: Grant | undefined;
}

/** Returns a text of the request; empty without one. */
export function fieldOf({ fields }: Pick<MockCall, "fields">, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

/** Returns the documented answer of a status, as an error; for a page, its description. */
export function documentedError({ operation }: Pick<MockCall, "operation">, status: number): MockError {
  const example = operation.example(status);
  return new MockError(status, (example ?? operation.response(status)?.description ?? "") as JsonObject | string);
}
