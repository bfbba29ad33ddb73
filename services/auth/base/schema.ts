import type { Database } from "../../../common/platform/db/database.ts";
import type { HourCountTable } from "../../../common/platform/db/hour-counts.ts";
import type { AuthenticationMethod } from "./authentication-method.ts";

/** A 64-bit integer column. SQLite returns `bigint`, mysql2 text; both take `bigint`. Times are milliseconds since 1970. */
export type Int64 = bigint | string;
/** A small integer column. SQLite returns `bigint`, mysql2 a number. */
export type SmallInt = bigint | number;

/** A person. */
export interface AccountTable {
  account: Uint8Array;
  email: string;
  created_at_ms: Int64;
  /** Random bytes by which passkeys name the account; null until its first one is added. */
  user_handle: Uint8Array | null;
  /** 1 where its owner lets nobody sign in without a passkey; null means 0. */
  passkey_required: SmallInt | null;
  /** The number of locks that were ever taken (`lockRowsStatement`); null before the first. */
  locks: Int64 | null;
}

/** A request to sign in again without the passkeys of an account, which waits. There is at most one of an account. */
export interface RecoveryTable {
  account: Uint8Array;
  /** The UUID, which pages show. */
  recovery: Uint8Array;
  begun_at_ms: Int64;
  /** The time from which it can be completed. */
  ready_at_ms: Int64;
  expires_at_ms: Int64;
  /** The language of its mails. */
  language: string;
  /** 1 where the operator began it, who alone can stop it; null means 0. */
  by_operator: SmallInt | null;
  /** The number of notices that were mailed or skipped. */
  notices_sent: SmallInt;
  /** The time at which the next notice is due, or at which a process that was to mail it is given up. */
  notice_due_at_ms: Int64;
}

/** A proof of having read a code, for an account to which a code alone doesn't sign in. */
export interface RecoveryPassTable {
  /** SHA-256 of the pass. */
  token: Uint8Array;
  account: Uint8Array;
  created_at_ms: Int64;
  expires_at_ms: Int64;
}

/** A passkey: the public part of a WebAuthn credential. */
export interface PasskeyTable {
  /** SHA-256 of the credential ID. */
  credential: Uint8Array;
  /** The UUID, which lists show. */
  passkey: Uint8Array;
  account: Uint8Array;
  /** Up to 1,023 bytes, chosen by the authenticator. */
  credential_id: Uint8Array;
  /** A COSE_Key. */
  public_key: Uint8Array;
  /** The signature counter of the last use; 0 with authenticators that have none. */
  counter: Int64;
  /** 1 if it can be copied to other devices; it never changes. */
  backup_eligible: SmallInt;
  /** 1 if it was copied, at its last use. */
  backed_up: SmallInt;
  /** Separated by spaces, such as `internal hybrid`. */
  transports: string;
  /** The authenticator's model; zeros where it doesn't say. */
  aaguid: Uint8Array;
  /** Chosen by its owner. */
  name: string;
  created_at_ms: Int64;
  /** Null until its first sign-in. */
  last_used_at_ms: Int64 | null;
}

/** A challenge that a passkey must sign and hasn't yet. */
export interface PasskeyChallengeTable {
  /** SHA-256 of the challenge. */
  challenge: Uint8Array;
  /** SHA-256 of the token of the browser that asked for it. */
  browser: Uint8Array;
  purpose: "add" | "sign_in";
  /** The account that gets the passkey; null for a sign-in. */
  account: Uint8Array | null;
  created_at_ms: Int64;
  expires_at_ms: Int64;
}

/** A sign-in that was begun and isn't complete, with its one-time code. */
export interface SignInTable {
  /** SHA-256 of the handle. */
  sign_in: Uint8Array;
  /** SHA-256 of the token of the browser that began it. */
  browser: Uint8Array;
  purpose: "sign_in" | "email_change";
  /** The account whose address changes; null for a sign-in. */
  account: Uint8Array | null;
  email: string;
  /** HMAC of the sign-in and the code. */
  code_mac: Uint8Array;
  tries: SmallInt;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  /** 1 where no code could be sent yet: those before it complete it. Null otherwise. */
  without_code: SmallInt | null;
}

/** The number of codes sent to an address in one hour under one allowance, whether or not the address has an account. */
export interface MailCountTable {
  /** HMAC of the address and the allowance. */
  address: Uint8Array;
  hour: Int64;
  sends: SmallInt;
}

/** A network from which a person has signed in. */
export interface KnownNetworkTable {
  /** HMAC of the e-mail address and the network. */
  network: Uint8Array;
  account: Uint8Array;
  /** The last time. */
  signed_in_at_ms: Int64;
}

export interface SessionTable {
  /** SHA-256 of the cookie's token. */
  token: Uint8Array;
  /** The UUID, which lists show. */
  session: Uint8Array;
  account: Uint8Array;
  created_at_ms: Int64;
  authenticated_at_ms: Int64;
  last_seen_at_ms: Int64;
  /** The end of the session, however much it is used. */
  expires_at_ms: Int64;
  user_agent: string;
  /** Null in a row of a version without passkeys, which means `code`. */
  authenticated_by: AuthenticationMethod | null;
}

/** A sale, as far as auth keeps it. */
export interface SaleAccessTable {
  sale: Uint8Array;
  /** The salt of the sale's pairwise subjects. */
  subject_salt: Uint8Array;
  /** The last time its opening was admitted. From then on, its last ready client must stay ready. */
  opening_at_ms: Int64 | null;
  /** The time at which its removal was admitted, while auth doesn't know yet whether it happened; else null. */
  removal_at_ms: Int64 | null;
  /** The time at which auth learnt that the sale was withdrawn; null for all other sales. */
  withdrawn_at_ms: Int64 | null;
  /** 1 where owners and editors must have signed in with a passkey; null means 0. */
  passkeys_required: SmallInt | null;
  /** The number of locks that were ever taken (`lockRowsStatement`); null before the first. */
  locks: Int64 | null;
}

export interface MemberTable {
  sale: Uint8Array;
  account: Uint8Array;
  role: "viewer" | "editor" | "owner";
}

/** An account that may create sales where founders need an invitation. */
export interface FounderTable {
  account: Uint8Array;
  invited_at_ms: Int64;
}

export interface ClientTable {
  client: Uint8Array;
  sale: Uint8Array;
  tenancy: "test" | "live";
  /** The sale's name at the last change of the client. */
  sale_name: string;
  name: string;
  status: "active" | "disabled";
  version: Int64;
  /** JSON: a list of strings. */
  redirect_uris: string;
  /** JSON: `[{"scope": …, "required": …}, …]`. */
  scopes: string;
  square_logo: Uint8Array | null;
  wide_logo: Uint8Array | null;
  /** Begins at 0. A higher one revokes everything that was issued to the client: see `raiseTokenGeneration`. */
  token_generation: Int64;
  created_at_ms: Int64;
  /** Null, like 0: no. */
  require_pushed_authorization_requests: 0 | 1 | null;
  /** Null, like 0: no. */
  dpop_bound_access_tokens: 0 | 1 | null;
  /** Null: RS256. */
  id_token_signed_response_alg: "RS256" | "ES256" | null;
  /** Null: `none`. */
  token_endpoint_auth_method: "none" | "private_key_jwt" | null;
  /** JSON: a list of public keys (`PublicJwk`). Null: none. */
  jwks: string | null;
  /** JSON: a list of strings. Null: none. */
  post_logout_redirect_uris: string | null;
}

/** A web origin of a redirect URI of an active client. */
export interface ClientOriginTable {
  origin: string;
  client: Uint8Array;
}

export interface LogoTable {
  /** SHA-256 of the image. */
  logo: Uint8Array;
  media_type: string;
  image: Uint8Array;
}

/** The scopes that a user has granted to a client and declined, separated by spaces. */
export interface ConsentTable {
  account: Uint8Array;
  client: Uint8Array;
  granted: string;
  declined: string;
  updated_at_ms: Int64;
  /** `CONSENT_WORDS_VERSION` of the page that asked; null in a row of a version without it. */
  words_version: number | null;
}

/** An authorization request for which the user was sent to a page. */
export interface AuthorizationRequestTable {
  /** SHA-256 of the handle. */
  request: Uint8Array;
  /** SHA-256 of the token of the browser that began it. */
  browser: Uint8Array;
  client: Uint8Array;
  redirect_uri: string;
  /** Separated by spaces. */
  scopes: string;
  /** Null for a request without a `state`. */
  state: string | null;
  code_challenge: string;
  /** For the version before `prompts`. */
  prompt: "" | "login" | "consent";
  /** Separated by spaces; null in a row of that version. */
  prompts: string | null;
  max_age_s: Int64 | null;
  login_hint: string | null;
  nonce: string | null;
  hinted_subject: string | null;
  /** The account with which the user has chosen to go on; null before a choice. */
  chosen_account: Uint8Array | null;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  /** The thumbprint that the code will be bound to; null for none. */
  dpop_jkt: Uint8Array | null;
  /** The time of the user's decision. An answered request is kept only for a browser that goes back. */
  answered_at_ms: Int64 | null;
}

/** An authorization request that a client has pushed (RFC 9126). */
export interface PushedRequestTable {
  /** SHA-256 of the `request_uri`. */
  request_uri: Uint8Array;
  client: Uint8Array;
  /** JSON: `[{"name": …, "value": …}, …]`. */
  parameters: string;
  expires_at_ms: Int64;
  /** Null until an authorization has begun from it. */
  used_at_ms: Int64 | null;
}

export interface AuthorizationCodeTable {
  /** SHA-256 of the code. */
  code: Uint8Array;
  client: Uint8Array;
  account: Uint8Array;
  /** The family of the tokens that the code will be exchanged for. */
  family: Uint8Array;
  redirect_uri: string;
  scopes: string;
  code_challenge: string;
  /** The `nonce` of the ID token; null without one. */
  nonce: string | null;
  /** The client's generation when the code was issued. */
  token_generation: Int64;
  authenticated_at_ms: Int64;
  /** Copied from the session; null means `code`. */
  authenticated_by: AuthenticationMethod | null;
  /** 1 if ID tokens say when the user signed in; null and 0 mean no. */
  id_token_auth_time: number | null;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  redeemed_at_ms: Int64 | null;
  /** The thumbprint of the key that must exchange it; null for any, or none. */
  dpop_jkt: Uint8Array | null;
}

/** All tokens that come from one code. */
export interface TokenFamilyTable {
  family: Uint8Array;
  client: Uint8Array;
  account: Uint8Array;
  scopes: string;
  /** The code's generation. The tokens are valid as long as the client has the same one. */
  token_generation: Int64;
  authenticated_at_ms: Int64;
  /** Copied from the code; null means `code`. */
  authenticated_by: AuthenticationMethod | null;
  /** Copied from the code; null and 0 mean no. */
  id_token_auth_time: number | null;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  revoked_at_ms: Int64 | null;
  /** The thumbprint of the key that its refresh tokens are bound to; null for none. */
  dpop_jkt: Uint8Array | null;
  /** When it was bound, if its first tokens weren't: refresh tokens that were used until then aren't bound. Null otherwise. */
  dpop_bound_at_ms: Int64 | null;
}

export interface RefreshTokenTable {
  /** SHA-256 of the token. */
  token: Uint8Array;
  family: Uint8Array;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  used_at_ms: Int64 | null;
}

/** A key that signs tokens: with ES256 in `signing_key`, with RS256 in `rsa_signing_key`. */
export interface SigningKeyTable {
  key_id: string;
  status: "next" | "active" | "retired";
  /** PKCS #8, wrapped by `KEY_ENCRYPTION_KEY`. */
  private_key: Uint8Array;
  /** A public JSON Web Key. */
  public_jwk: string;
  created_at_ms: Int64;
  activated_at_ms: Int64 | null;
  retired_at_ms: Int64 | null;
}

/** The part of a rate limit's window that processes have taken, in blocks. */
export interface RateWindowTable {
  /** HMAC of the limit's name and the key that it counts. */
  counter: Uint8Array;
  window_start_ms: Int64;
  taken: Int64;
}

/** A JWT that was used and must not be used again. */
export interface UsedJwtIdTable {
  /** SHA-256 of its purpose, its owner and its `jti`. */
  used_jwt_id: Uint8Array;
  /** The time from which the JWT is refused anyway. */
  expires_at_ms: Int64;
  /** A UUID. Null where no call is repeated. */
  request_id: string | null;
}

/** A row that a transaction locks so that it is the only one of its kind. */
export interface AuthLockTable {
  name: string;
}

/** A deleted account whose entities must be deleted too, by the entities service. */
export interface AccountErasureTable {
  account: Uint8Array;
  attempts: SmallInt;
  next_attempt_at_ms: Int64;
}

/** A notice of the entities service that was mailed. */
export interface SentNoticeTable {
  notice: Uint8Array;
  sent_at_ms: Int64;
}

/** A security event. */
export interface AuditTable {
  event_id: Uint8Array;
  at_ms: Int64;
  event: string;
  account: Uint8Array | null;
  client: Uint8Array | null;
  sale: Uint8Array | null;
  /** JSON; contains neither secrets nor e-mail addresses. */
  details: string;
}

export interface AuthSchema {
  account: AccountTable;
  passkey: PasskeyTable;
  passkey_challenge: PasskeyChallengeTable;
  recovery: RecoveryTable;
  recovery_pass: RecoveryPassTable;
  sign_in: SignInTable;
  mail_count: MailCountTable;
  known_network: KnownNetworkTable;
  session: SessionTable;
  sale_access: SaleAccessTable;
  member: MemberTable;
  founder: FounderTable;
  client: ClientTable;
  client_origin: ClientOriginTable;
  logo: LogoTable;
  consent: ConsentTable;
  authorization_request: AuthorizationRequestTable;
  pushed_request: PushedRequestTable;
  authorization_code: AuthorizationCodeTable;
  token_family: TokenFamilyTable;
  refresh_token: RefreshTokenTable;
  signing_key: SigningKeyTable;
  rsa_signing_key: SigningKeyTable;
  rate_window: RateWindowTable;
  used_jwt_id: UsedJwtIdTable;
  auth_lock: AuthLockTable;
  audit: AuditTable;
  account_erasure: AccountErasureTable;
  sent_notice: SentNoticeTable;
  /** Sign-ins of users at the clients of a sale. */
  sign_in_hour: HourCountTable;
}

export type AuthDatabase = Database<AuthSchema>;
