import type { Database } from "../../shared/db/database.ts";

/** A 64-bit integer column: SQLite answers `bigint`, mysql2 text; written as `bigint`. Times are milliseconds since 1970. */
export type Int64 = bigint | string;
/** A small integer column: SQLite answers `bigint`, mysql2 a number. */
export type SmallInt = bigint | number;

/** A person. */
export interface AccountTable {
  account: Uint8Array;
  email: string;
  created_at_ms: Int64;
}

/** A one-time code that was sent and not yet used. */
export interface SignInTable {
  /** SHA-256 of the handle. */
  sign_in: Uint8Array;
  /** SHA-256 of the token of the browser that began. */
  browser: Uint8Array;
  purpose: "sign_in" | "email_change";
  /** Who changes the address. */
  account: Uint8Array | null;
  email: string;
  /** HMAC over sign-in and code. */
  code_mac: Uint8Array;
  tries: SmallInt;
  created_at_ms: Int64;
  expires_at_ms: Int64;
}

/** Codes sent to an address, known or not, in one hour. */
export interface MailCountTable {
  /** HMAC of the address. */
  address: Uint8Array;
  hour: Int64;
  sends: SmallInt;
}

export interface SessionTable {
  /** SHA-256 of the cookie's token. */
  token: Uint8Array;
  /** For lists. */
  session: Uint8Array;
  account: Uint8Array;
  created_at_ms: Int64;
  authenticated_at_ms: Int64;
  last_seen_at_ms: Int64;
  /** When it ends at the latest. */
  expires_at_ms: Int64;
  user_agent: string;
}

/** What auth knows of a sale. */
export interface SaleAccessTable {
  sale: Uint8Array;
  /** Makes the pairwise subjects of the sale. */
  subject_salt: Uint8Array;
  /** When its opening was last admitted: from then on its clients can't be weakened. */
  opening_at_ms: Int64 | null;
}

export interface MemberTable {
  sale: Uint8Array;
  account: Uint8Array;
  role: "viewer" | "editor" | "owner";
}

/** Who may create sales, where founders are invited. */
export interface FounderTable {
  account: Uint8Array;
  invited_at_ms: Int64;
}

export interface ClientTable {
  client: Uint8Array;
  sale: Uint8Array;
  tenancy: "test" | "live";
  /** As it was when the client was last changed. */
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
}

/** Web origins of the redirect URIs of active clients. */
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

/** What a user let a client do, and what not; scopes separated by spaces. */
export interface ConsentTable {
  account: Uint8Array;
  client: Uint8Array;
  granted: string;
  declined: string;
  updated_at_ms: Int64;
}

/** An authorization that a browser has begun. */
export interface AuthorizationRequestTable {
  /** SHA-256 of the handle. */
  request: Uint8Array;
  /** SHA-256 of the token of the browser that began. */
  browser: Uint8Array;
  client: Uint8Array;
  redirect_uri: string;
  /** Separated by spaces. */
  scopes: string;
  /** Absent where the request had none. */
  state: string | null;
  code_challenge: string;
  prompt: "" | "login" | "consent";
  created_at_ms: Int64;
  expires_at_ms: Int64;
  /** When the user decided: an answered request is kept for the browser's back button only. */
  answered_at_ms: Int64 | null;
}

export interface AuthorizationCodeTable {
  /** SHA-256 of the code. */
  code: Uint8Array;
  client: Uint8Array;
  account: Uint8Array;
  /** What its tokens will belong to. */
  family: Uint8Array;
  redirect_uri: string;
  scopes: string;
  code_challenge: string;
  /** Of the client when the code was made. */
  token_generation: Int64;
  authenticated_at_ms: Int64;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  redeemed_at_ms: Int64 | null;
}

/** All tokens that come from one code. */
export interface TokenFamilyTable {
  family: Uint8Array;
  client: Uint8Array;
  account: Uint8Array;
  scopes: string;
  /** Of the code: the tokens are good while the client has it. */
  token_generation: Int64;
  authenticated_at_ms: Int64;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  revoked_at_ms: Int64 | null;
}

export interface RefreshTokenTable {
  /** SHA-256 of the token. */
  token: Uint8Array;
  family: Uint8Array;
  created_at_ms: Int64;
  expires_at_ms: Int64;
  used_at_ms: Int64 | null;
}

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

/** How much of a rate limit processes have taken, in blocks. */
export interface RateWindowTable {
  /** HMAC of the limit's name and what it counts. */
  counter: Uint8Array;
  window_start_ms: Int64;
  taken: Int64;
}

/** A row that a transaction locks to be the only one of its kind. */
export interface AuthLockTable {
  name: string;
}

/** Security events. */
export interface AuditTable {
  event_id: Uint8Array;
  at_ms: Int64;
  event: string;
  account: Uint8Array | null;
  client: Uint8Array | null;
  sale: Uint8Array | null;
  /** JSON, without secrets and addresses of e-mail. */
  details: string;
}

export interface AuthSchema {
  account: AccountTable;
  sign_in: SignInTable;
  mail_count: MailCountTable;
  session: SessionTable;
  sale_access: SaleAccessTable;
  member: MemberTable;
  founder: FounderTable;
  client: ClientTable;
  client_origin: ClientOriginTable;
  logo: LogoTable;
  consent: ConsentTable;
  authorization_request: AuthorizationRequestTable;
  authorization_code: AuthorizationCodeTable;
  token_family: TokenFamilyTable;
  refresh_token: RefreshTokenTable;
  signing_key: SigningKeyTable;
  rate_window: RateWindowTable;
  auth_lock: AuthLockTable;
  audit: AuditTable;
}

export type AuthDatabase = Database<AuthSchema>;
