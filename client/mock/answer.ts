import type { MockCall } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { MockError } from "./mock-error.ts";
import { authorize, callTokens, keys, logout, push, revoke, token, userInfo } from "./oauth-answers.ts";
import { demand, history, position, sale } from "./sale-answers.ts";
import { ofCall } from "./states.ts";
import { hexOf } from "./text.ts";
import { availableEntities, check, investments, limits, permit, profile, readEntity } from "./user-answers.ts";

/** An answer of an operation. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or a text for a browser, which is a page unless the headers name another type; empty for none. */
  readonly body: JsonObject | string;
}

const NONE_HEADERS = {};
const RETRY_AFTER_SECONDS = "1";
const CHANGED_BLOCK = "Tidemark-Changed-Block";

type Handler = (call: MockCall) => JsonObject | string | Promise<JsonObject | string>;

const body: Handler = ({ figures, states }) => figures.body(states);

/** Handlers of calls by name. Any other call answers its example. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["read-commitment-data", body],
  ["commitment-data", body],
  ["read-sale", sale],
  ["sales", sale],
  ["read-position", position],
  ["history", history],
  ["demand", demand],
  ["my-profile", profile],
  ["list-available-entities", availableEntities],
  ["read-entity", readEntity],
  ["pre-purchase-check", check],
  ["generate-purchase-permit", permit],
  ["limits", limits],
  ["investment-history", investments],
  ["token", token],
  ["ExchangeAuthorizationCodeV2", callTokens],
  ["RefreshAccessToken", callTokens],
  ["revoke", revoke],
  ["userinfo", userInfo],
  ["jwks.json", keys],
]);

/**
 * Answers an operation as the service would.
 *
 * @throws MockError for anything but a success
 */
export async function answerOf(call: MockCall): Promise<Answer> {
  const { operation, states } = call;
  const status = Number(ofCall(states, "status", operation.name) ?? 0);
  if (operation.name === "authorize") return { status: 303, headers: { Location: authorize(call) }, body: "" };
  if (operation.name === "par") return { status: 201, headers: NONE_HEADERS, body: push(call) };
  if (operation.name === "logout") return signedOut(call, status);
  const handle = HANDLERS.get(operation.name) ?? (() => (operation.example(200) ?? "") as JsonObject | string);
  return withTag(call, await handle(call), status === 304);
}

/** Leads back to the application, or says that the user is signed out. @param status that of the chosen state */
function signedOut(call: MockCall, status: number): Answer {
  const back = logout(call) ?? (status === 303 ? "/oauth/logout" : undefined);
  if (back === undefined) return { status: 200, headers: NONE_HEADERS, body: "You are signed out." };
  return { status: 303, headers: { Location: back }, body: "" };
}

/** Adds a tag where the operation has one, and leaves out a body that the client has. */
async function withTag(call: MockCall, body: JsonObject | string, isForced: boolean): Promise<Answer> {
  const { operation, figures, headers: sent } = call;
  if (operation.response(304) === undefined) return { status: 200, headers: NONE_HEADERS, body };
  const isFigures = operation.name === "commitment-data";
  const tag = `W/"${isFigures ? figures.id : await digest(body)}"`;
  const headers = { ETag: tag, ...changedBlock(call) };
  const isKnown = sent.get("if-none-match")?.replace("W/", "") === tag.replace("W/", "");
  return isForced || isKnown ? { status: 304, headers, body: "" } : { status: 200, headers, body };
}

function changedBlock({ operation, figures, states }: MockCall): Readonly<Record<string, string>> {
  if (operation.response(200)?.headers?.[CHANGED_BLOCK] === undefined) return NONE_HEADERS;
  const { Block, BlockHash } = figures.current(states).AsOf;
  return { [CHANGED_BLOCK]: `${Block};hash="${BlockHash}"` };
}

/** Returns a digest of a body without the fields that change with every block. */
async function digest(body: JsonObject | string): Promise<string> {
  const { AsOf: _, BehindSeconds: _behind, ...lasting } = typeof body === "string" ? {} : body;
  const bytes = new TextEncoder().encode(JSON.stringify(lasting));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return hexOf(hash.subarray(0, 8));
}

/** Returns an error as an answer, with the headers that its status is documented with. */
export function answerOfError(call: Pick<MockCall, "operation"> | undefined, { status, body }: MockError): Answer {
  const headers = call?.operation.response(status)?.headers ?? {};
  const values: Readonly<Record<string, string>> = {
    "Retry-After": RETRY_AFTER_SECONDS,
    "WWW-Authenticate": 'Bearer realm="mock"',
  };
  const names = Object.keys(headers).filter((name) => name in values);
  return { status, headers: Object.fromEntries(names.map((name) => [name, values[name] ?? ""])), body };
}

/** Returns a fault of the mock itself as an error in the shape of the calls. */
export function ownFault(thrown: unknown): MockError {
  const message = `The mock has a fault: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  return new MockError(500, { code: "internal", message, details: {} });
}
