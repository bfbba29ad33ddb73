import { type JsonObject, parseObject } from "./json.ts";
import { base64url, bytesOf, bytesOfBase64url, randomText, type SigningKey, signingKey } from "./signing-key.ts";

const CODE_SECONDS = 60;
const ID_TOKEN_SECONDS = 3_600;
/** A refresh token that is used again within this time gets the same successor, as at the service. */
const REUSE_SECONDS = 10;
/** Bound of codes and refresh tokens that are kept; the oldest are forgotten. */
const MAX_KEPT = 10_000;

/** A code's request, which its exchange must match. */
export interface CodeRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: string;
  /** The `nonce` of the ID token; empty for none. */
  readonly nonce: string;
  /** Whether ID tokens have `auth_time`. */
  readonly saysWhen: boolean;
}

/** The access that a user has granted an application. */
export interface Grant {
  readonly clientId: string;
  readonly scope: string;
  /** All tokens of one sign-in. */
  readonly family: string;
  /** The `nonce` of the first ID token; empty for none. */
  readonly nonce: string;
  /** When the user signed in, in seconds since 1970, for ID tokens; undefined where they don't say it. */
  readonly signedInAt: number | undefined;
}

interface KeptCode extends CodeRequest {
  readonly until: number;
}
interface KeptRefresh extends Grant {
  readonly successor: { readonly token: string; readonly until: number } | undefined;
}

/** Codes, access tokens and refresh tokens, which all end with this process. */
export class TokenStore {
  readonly #key: SigningKey;
  readonly #now: () => number;
  readonly #pushed = new Map<string, URLSearchParams>();
  readonly #codes = new Map<string, KeptCode>();
  readonly #refresh = new Map<string, KeptRefresh>();
  readonly #revoked = new Set<string>();

  private constructor(key: SigningKey, now: () => number) {
    this.#key = key;
    this.#now = now;
  }

  /** @param now milliseconds since 1970 */
  static async create(now: () => number): Promise<TokenStore> {
    return new TokenStore(await signingKey(), now);
  }

  /** The public key as a JSON Web Key. */
  get publicKey(): JsonObject {
    return this.#key.publicKey;
  }

  /** Keeps a pushed authorization request. @returns its `request_uri` */
  push(request: URLSearchParams): string {
    const uri = `urn:ietf:params:oauth:request_uri:${randomText()}`;
    keep(this.#pushed, uri, request);
    return uri;
  }

  /** Returns a pushed request, once. */
  takePushed(uri: string): URLSearchParams | undefined {
    const request = this.#pushed.get(uri);
    this.#pushed.delete(uri);
    return request;
  }

  issueCode(request: CodeRequest): string {
    const code = randomText();
    keep(this.#codes, code, { ...request, until: this.#seconds() + CODE_SECONDS });
    return code;
  }

  /** Redeems a code, once. @returns undefined for a code that is unknown, expired or of another request */
  async redeem(code: string, verifier: string, redirectUri: string | undefined): Promise<Grant | undefined> {
    const issued = this.#codes.get(code);
    if (issued === undefined || issued.until < this.#seconds()) return undefined;
    if (redirectUri !== undefined && redirectUri !== issued.redirectUri) return undefined;
    const digest = await crypto.subtle.digest("SHA-256", bytesOf(verifier));
    if (base64url(new Uint8Array(digest)) !== issued.challenge) return undefined;
    this.#codes.delete(code);
    const { clientId, scope, nonce, saysWhen } = issued;
    return { clientId, scope, family: randomText(), nonce, signedInAt: saysWhen ? this.#seconds() : undefined };
  }

  /** Returns a new refresh token. */
  issueRefresh(grant: Grant): string {
    const token = randomText();
    keep(this.#refresh, token, { ...grant, nonce: "", successor: undefined });
    return token;
  }

  /** Uses a refresh token up. @returns its grant and successor; undefined for one that is unknown, used or revoked */
  refresh(token: string): { readonly grant: Grant; readonly successor: string } | undefined {
    const issued = this.#refresh.get(token);
    if (issued === undefined || this.#revoked.has(issued.family)) return undefined;
    if (issued.successor !== undefined && issued.successor.until < this.#seconds()) {
      this.#revoked.add(issued.family);
      return undefined;
    }
    const successor = issued.successor ?? { token: this.issueRefresh(issued), until: this.#seconds() + REUSE_SECONDS };
    this.#refresh.set(token, { ...issued, successor });
    return { grant: issued, successor: successor.token };
  }

  /** Ends all tokens of a sign-in. @param token an access or refresh token; one that isn't known changes nothing */
  async revoke(token: string): Promise<void> {
    const family = this.#refresh.get(token)?.family ?? (await this.read(token))?.family;
    if (family !== undefined) this.#revoked.add(family);
  }

  /** Returns an access token, a JWT of RFC 9068. @param claims further ones */
  issueAccess({ clientId, scope, family }: Grant, seconds: number, claims: JsonObject): Promise<string> {
    const iat = this.#seconds();
    const jti = `${family}.${randomText()}`;
    const own = { client_id: clientId, scope, jti, iat, exp: iat + seconds };
    return this.#key.sign({ ...claims, ...own }, "at+jwt");
  }

  /** Returns the ID token beside an access token (OpenID Connect Core section 2). @param claims `iss` and `sub` */
  async issueId(
    { clientId, scope, nonce, signedInAt }: Grant,
    accessToken: string,
    claims: JsonObject,
  ): Promise<string> {
    const iat = this.#seconds();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(accessToken)));
    const at_hash = base64url(digest.subarray(0, digest.length / 2));
    const own = { aud: clientId, iat, exp: iat + ID_TOKEN_SECONDS, at_hash };
    const when = signedInAt !== undefined && { auth_time: signedInAt };
    const how = { acr: "urn:tidemark:email-code", amr: ["otp"], ...when };
    const email = scope.split(" ").includes("contact_email") && { email_verified: true };
    return this.#key.sign({ ...claims, ...own, ...how, ...email, ...(nonce !== "" && { nonce }) }, "JWT");
  }

  /** Returns the grant of an access token; undefined for one that isn't of this process, expired or revoked. */
  async read(token: string): Promise<Grant | undefined> {
    if (!(await this.#key.verify(token))) return undefined;
    const claims = parseObject(new TextDecoder().decode(bytesOfBase64url(token.split(".")[1] ?? "")));
    if (claims === undefined || Number(claims["exp"]) <= this.#seconds()) return undefined;
    const family = String(claims["jti"]).split(".")[0] ?? "";
    if (this.#revoked.has(family)) return undefined;
    return {
      clientId: String(claims["client_id"]),
      scope: String(claims["scope"]),
      family,
      nonce: "",
      signedInAt: undefined,
    };
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1_000);
  }
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = map.keys();
  if (map.size >= MAX_KEPT && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
