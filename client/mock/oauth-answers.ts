import { documentedError, fieldOf, type MockCall } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { callError, MockError } from "./mock-error.ts";
import { schemaViolations } from "./schema-violations.ts";
import { randomText } from "./signing-key.ts";
import type { Grant } from "./tokens.ts";

const CLIENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Consents for the user, and returns the address of the application with a code, or with the chosen error.
 *
 * @throws MockError 400 with a text for the browser, where a parameter is missing or malformed
 */
export function authorize(call: MockCall): string {
  const { states, origin, tokens } = call;
  const query = authorizationQuery(call);
  const parameter = (name: string, isRight: (value: string) => boolean, rule: string) => {
    const [value = "", ...others] = query.getAll(name);
    if (others.length > 0 || !isRight(value)) throw new MockError(400, `${name} ${rule}.`);
    return value;
  };
  parameter("response_type", (value) => value === "code", "must be code");
  const clientId = parameter("client_id", (value) => CLIENT_ID.test(value), "must be a UUID");
  const redirectUri = parameter("redirect_uri", isWebAddress, "must be an address of https: or http:");
  const challenge = parameter("code_challenge", (value) => CHALLENGE.test(value), "must be 43 characters of base64url");
  parameter("code_challenge_method", (value) => ["", "S256"].includes(value), "must be S256");
  const scope = grantedScope(call, query.get("scope") ?? "");
  const request = { clientId, redirectUri, challenge, scope, nonce: query.get("nonce") ?? "" };
  const error = states.get("sign-in") ?? "allowed";
  const back = new URL(redirectUri);
  if (error === "allowed")
    back.searchParams.set("code", tokens.issueCode({ ...request, saysWhen: query.has("max_age") }));
  else back.searchParams.set("error", error);
  if (query.has("state")) back.searchParams.set("state", query.get("state") ?? "");
  back.searchParams.set("iss", origin);
  return back.href;
}

/** Keeps a request for `authorize`. @returns its `request_uri` @throws MockError in OAuth's shape */
export function push(call: MockCall): JsonObject {
  checkForm(call);
  const fields = Object.entries(call.fields).map(([name, value]): [string, string] => [name, String(value)]);
  const request_uri = call.tokens.push(new URLSearchParams(fields));
  return { ...(call.operation.example(201) as JsonObject), request_uri };
}

/** Returns the parameters of an authorization request, pushed or not. @throws MockError 400 for an unknown `request_uri` */
function authorizationQuery({ query, tokens }: MockCall): URLSearchParams {
  const uri = query.get("request_uri");
  if (uri === null) return query;
  const pushed = tokens.takePushed(uri);
  if (pushed === undefined) throw new MockError(400, "request_uri is unknown, or was used before.");
  return pushed;
}

/** Returns `Tokens`. @throws MockError in OAuth's shape */
export async function token(call: MockCall): Promise<JsonObject> {
  checkForm(call);
  const tokens = await newTokens(call);
  if (tokens === undefined) throw documentedError(call, 400);
  return tokens;
}

/** Returns `CallTokens`, for existing clients. @throws MockError in the shape of the calls */
export async function callTokens(call: MockCall): Promise<JsonObject> {
  const tokens = await newTokens(call);
  if (tokens === undefined) {
    throw callError(400, "invalid_argument", "code or token is unknown or expired", { error: "invalid_grant" });
  }
  const { scope: _, id_token: _id, ...others } = tokens;
  return others;
}

/** Ends the tokens of a sign-in. */
export async function revoke(call: MockCall): Promise<string> {
  checkForm(call);
  await call.tokens.revoke(fieldOf(call, "token"));
  return "";
}

/** Returns `UserInfo`. */
export function userInfo(call: MockCall): JsonObject {
  const { email: _, email_verified: _verified, ...others } = call.operation.example(200) as JsonObject;
  const isGranted = call.grant?.scope.split(" ").includes("contact_email");
  return isGranted ? (call.operation.example(200) as JsonObject) : others;
}

/**
 * Signs the user out at once.
 *
 * @returns the address to which the browser goes with the state; undefined for none
 */
export function logout({ query }: Pick<MockCall, "query">): string | undefined {
  const uri = query.get("post_logout_redirect_uri") ?? "";
  if (!isWebAddress(uri)) return undefined;
  const back = new URL(uri);
  if (query.has("state")) back.searchParams.set("state", query.get("state") ?? "");
  return back.href;
}

/** Returns the key that signs the mock's tokens. */
export function keys({ tokens }: MockCall): JsonObject {
  return { keys: [tokens.publicKey] };
}

/** Returns tokens for nobody's sign-in, for use with curl. */
export function tokensOf(call: Omit<MockCall, "fields" | "operation">, scope: string): Promise<JsonObject> {
  const grant = {
    clientId: "00000000-0000-4000-8000-000000000000",
    scope: scope || allScopes(call),
    family: randomText(),
    nonce: "",
    signedInAt: undefined,
  };
  return tokensFor(call, grant, call.tokens.issueRefresh(grant));
}

/** @returns undefined for a code or refresh token that is good no more */
async function newTokens(call: MockCall): Promise<JsonObject | undefined> {
  const refreshToken = fieldOf(call, "refresh_token");
  if (refreshToken !== "") {
    const refreshed = call.tokens.refresh(refreshToken);
    return refreshed && tokensFor(call, refreshed.grant, refreshed.successor);
  }
  const redirectUri = fieldOf(call, "redirect_uri") || undefined;
  const grant = await call.tokens.redeem(fieldOf(call, "code"), fieldOf(call, "code_verifier"), redirectUri);
  return grant && tokensFor(call, grant, call.tokens.issueRefresh(grant));
}

async function tokensFor(
  { document, states, tokens, origin }: Omit<MockCall, "fields" | "operation">,
  grant: Grant,
  refresh_token: string,
): Promise<JsonObject> {
  const example = document.named("token").example(200) as JsonObject;
  const expires_in = Number(states.get("expires_in") ?? example["expires_in"]);
  const { sub = "" } = document.named("userinfo").example(200) as JsonObject;
  const { SaleUUID: sale_uuid = "" } = document.named("read-sale").example(200) as JsonObject;
  const claims = { iss: origin, aud: origin, sub, sale_uuid, tenancy: "test" };
  const access_token = await tokens.issueAccess(grant, expires_in, claims);
  const answer = { ...example, access_token, refresh_token, expires_in, scope: grant.scope };
  if (!grant.scope.split(" ").includes("openid")) return answer;
  return { ...answer, id_token: await tokens.issueId(grant, access_token, { iss: origin, sub }) };
}

/** Returns the named scopes that the service knows, or all if none is named. */
function grantedScope(call: Pick<MockCall, "document">, named: string): string {
  const names = named.split(" ").filter((name) => name !== "");
  const known = ["openid", ...allScopes(call).split(" ")];
  return names.length === 0 ? allScopes(call) : names.filter((name) => known.includes(name)).join(" ");
}

function allScopes({ document }: Pick<MockCall, "document">): string {
  return String((document.named("token").example(200) as JsonObject)["scope"]);
}

/** @throws MockError `invalid_request` that names what is missing or malformed */
function checkForm({ document, operation, fields }: MockCall): void {
  const [content] = Object.values(operation.request ?? {});
  const [violation] = content === undefined ? [] : schemaViolations(document, content.schema, fields);
  if (violation === undefined) return;
  const error_description = `${violation.field} ${violation.message}`;
  throw new MockError(400, { error: "invalid_request", error_description });
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ["https:", "http:"].includes(new URL(value).protocol);
}
