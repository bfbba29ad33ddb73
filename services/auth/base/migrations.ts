import type { Migration } from "kysely/migration";
import { hourCountTable } from "../../../common/platform/db/hour-counts.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import {
  addColumn,
  addColumns,
  createIndex,
  createTable,
  type TableDefinition,
} from "../../../common/platform/db/sql/table-migrations.ts";
import { convertEmailDomains } from "./account-email-domains.ts";

/** The maximum of RFC 5321 section 4.5.3.1. */
const EMAIL_CHARACTERS = 254;
const REDIRECT_URI_CHARACTERS = 1_024;
const SCOPES_CHARACTERS = 1_024;
/** Enough for a scheme, a DNS name and a port. */
const ORIGIN_CHARACTERS = 300;
const NONCE_CHARACTERS = 512;
const TRANSPORTS_CHARACTERS = 128;

/**
 * The migrations of the auth service's schema. Each may be repeated after a run that died in it. A released migration never
 * changes: later changes are new migrations.
 */
export function migrations(dialect: SqlDialect): Readonly<Record<string, Migration>> {
  const { binary, ascii, text, blob } = dialect.columnTypes;
  const table = (name: string, definition: TableDefinition) => createTable(dialect, name, definition);
  const index = (name: string, purpose: string, columns: readonly string[]) =>
    createIndex(dialect, name, purpose, columns);
  const unique = (name: string, purpose: string, columns: readonly string[]) =>
    createIndex(dialect, name, purpose, columns, { unique: true });
  /** The keys of one algorithm. */
  const signingKeys: TableDefinition = {
    columns: { key_id: ascii(64), status: ascii(8), private_key: blob, public_jwk: text, created_at_ms: "bigint" },
    nullable: { activated_at_ms: "bigint", retired_at_ms: "bigint" },
    key: ["key_id"],
  };
  return {
    "001_account": table("account", {
      columns: { account: binary(16), email: ascii(EMAIL_CHARACTERS), created_at_ms: "bigint" },
      key: ["account"],
    }),
    "002_account_email": unique("account", "email", ["email"]),
    "003_sign_in": table("sign_in", {
      columns: {
        sign_in: binary(32),
        browser: binary(32),
        purpose: ascii(16),
        email: ascii(EMAIL_CHARACTERS),
        code_mac: binary(32),
        tries: "integer",
        created_at_ms: "bigint",
        expires_at_ms: "bigint",
      },
      nullable: { account: binary(16) },
      key: ["sign_in"],
    }),
    "004_sign_in_expiry": index("sign_in", "expiry", ["expires_at_ms"]),
    "005_mail_count": table("mail_count", {
      columns: { address: binary(32), hour: "bigint", sends: "integer" },
      key: ["address", "hour"],
    }),
    "006_mail_count_age": index("mail_count", "age", ["hour"]),
    "007_session": table("session", {
      columns: {
        token: binary(32),
        session: binary(16),
        account: binary(16),
        created_at_ms: "bigint",
        authenticated_at_ms: "bigint",
        last_seen_at_ms: "bigint",
        expires_at_ms: "bigint",
        user_agent: text,
      },
      key: ["token"],
    }),
    "008_session_account": index("session", "account", ["account", "last_seen_at_ms"]),
    "009_session_expiry": index("session", "expiry", ["expires_at_ms"]),
    "010_session_idle": index("session", "idle", ["last_seen_at_ms"]),
    "011_sale_access": table("sale_access", {
      columns: { sale: binary(16), subject_salt: binary(32) },
      nullable: { opening_at_ms: "bigint" },
      key: ["sale"],
    }),
    "012_member": table("member", {
      columns: { sale: binary(16), account: binary(16), role: ascii(8) },
      key: ["sale", "account"],
    }),
    "013_member_account": index("member", "account", ["account", "sale"]),
    "014_founder": table("founder", {
      columns: { account: binary(16), invited_at_ms: "bigint" },
      key: ["account"],
    }),
    "015_client": table("client", {
      columns: {
        client: binary(16),
        sale: binary(16),
        tenancy: ascii(8),
        sale_name: text,
        name: text,
        status: ascii(8),
        version: "bigint",
        redirect_uris: text,
        scopes: text,
        token_generation: "bigint",
        created_at_ms: "bigint",
      },
      nullable: { square_logo: binary(32), wide_logo: binary(32) },
      key: ["client"],
    }),
    "016_client_sale": index("client", "sale", ["sale", "created_at_ms"]),
    "017_client_origin": table("client_origin", {
      columns: { origin: ascii(ORIGIN_CHARACTERS), client: binary(16) },
      key: ["origin", "client"],
    }),
    "018_client_origin_client": index("client_origin", "client", ["client"]),
    "019_logo": table("logo", {
      columns: { logo: binary(32), media_type: ascii(32), image: blob },
      key: ["logo"],
    }),
    "020_consent": table("consent", {
      columns: {
        account: binary(16),
        client: binary(16),
        granted: ascii(SCOPES_CHARACTERS),
        declined: ascii(SCOPES_CHARACTERS),
        updated_at_ms: "bigint",
      },
      key: ["account", "client"],
    }),
    "021_authorization_request": table("authorization_request", {
      columns: {
        request: binary(32),
        browser: binary(32),
        client: binary(16),
        redirect_uri: ascii(REDIRECT_URI_CHARACTERS),
        scopes: ascii(SCOPES_CHARACTERS),
        code_challenge: ascii(43),
        prompt: ascii(16),
        created_at_ms: "bigint",
        expires_at_ms: "bigint",
      },
      nullable: { state: text, answered_at_ms: "bigint" },
      key: ["request"],
    }),
    "022_authorization_request_expiry": index("authorization_request", "expiry", ["expires_at_ms"]),
    "023_authorization_code": table("authorization_code", {
      columns: {
        code: binary(32),
        client: binary(16),
        account: binary(16),
        family: binary(16),
        redirect_uri: ascii(REDIRECT_URI_CHARACTERS),
        scopes: ascii(SCOPES_CHARACTERS),
        code_challenge: ascii(43),
        token_generation: "bigint",
        authenticated_at_ms: "bigint",
        created_at_ms: "bigint",
        expires_at_ms: "bigint",
      },
      nullable: { redeemed_at_ms: "bigint" },
      key: ["code"],
    }),
    "024_authorization_code_expiry": index("authorization_code", "expiry", ["expires_at_ms"]),
    "025_authorization_code_account": index("authorization_code", "account", ["account", "client"]),
    "026_token_family": table("token_family", {
      columns: {
        family: binary(16),
        client: binary(16),
        account: binary(16),
        scopes: ascii(SCOPES_CHARACTERS),
        token_generation: "bigint",
        authenticated_at_ms: "bigint",
        created_at_ms: "bigint",
        expires_at_ms: "bigint",
      },
      nullable: { revoked_at_ms: "bigint" },
      key: ["family"],
    }),
    "027_token_family_account": index("token_family", "account", ["account", "client"]),
    "028_token_family_expiry": index("token_family", "expiry", ["expires_at_ms"]),
    "029_refresh_token": table("refresh_token", {
      columns: { token: binary(32), family: binary(16), created_at_ms: "bigint", expires_at_ms: "bigint" },
      nullable: { used_at_ms: "bigint" },
      key: ["token"],
    }),
    "030_refresh_token_expiry": index("refresh_token", "expiry", ["expires_at_ms"]),
    "031_signing_key": table("signing_key", signingKeys),
    "032_rate_window": table("rate_window", {
      columns: { counter: binary(32), window_start_ms: "bigint", taken: "bigint" },
      key: ["counter", "window_start_ms"],
    }),
    "033_rate_window_age": index("rate_window", "age", ["window_start_ms"]),
    "034_auth_lock": table("auth_lock", { columns: { name: ascii(32) }, key: ["name"] }),
    "035_audit": table("audit", {
      columns: { event_id: binary(16), at_ms: "bigint", event: ascii(64), details: text },
      nullable: { account: binary(16), client: binary(16), sale: binary(16) },
      key: ["event_id"],
    }),
    "036_audit_sale": index("audit", "sale", ["sale", "at_ms"]),
    "037_audit_account": index("audit", "account", ["account", "at_ms"]),
    "038_audit_age": index("audit", "age", ["at_ms"]),
    "039_client_square_logo": index("client", "square_logo", ["square_logo"]),
    "040_client_wide_logo": index("client", "wide_logo", ["wide_logo"]),
    "041_audit_sale_event": index("audit", "sale_event", ["sale", "event", "event_id"]),
    "042_known_network": table("known_network", {
      columns: { network: binary(32), account: binary(16), signed_in_at_ms: "bigint" },
      key: ["network"],
    }),
    "043_known_network_account": index("known_network", "account", ["account"]),
    "044_known_network_age": index("known_network", "age", ["signed_in_at_ms"]),
    "045_sale_access_removal_at": addColumn("sale_access", "removal_at_ms", "bigint"),
    "046_sale_access_removal": index("sale_access", "removal", ["removal_at_ms"]),
    "047_sale_access_withdrawn_at": addColumn("sale_access", "withdrawn_at_ms", "bigint"),
    "048_account_erasure": table("account_erasure", {
      columns: { account: binary(16), attempts: "integer", next_attempt_at_ms: "bigint" },
      key: ["account"],
    }),
    "049_account_erasure_due": index("account_erasure", "due", ["next_attempt_at_ms"]),
    "050_sent_notice": table("sent_notice", {
      columns: { notice: binary(16), sent_at_ms: "bigint" },
      key: ["notice"],
    }),
    "051_sent_notice_age": index("sent_notice", "age", ["sent_at_ms"]),
    "052_consent_words": addColumn("consent", "words_version", "integer"),
    "053_sign_in_hour": hourCountTable(dialect, "sign_in_hour"),
    "054_sign_in_hour_age": index("sign_in_hour", "age", ["hour_ms"]),
    "055_passkey": table("passkey", {
      columns: {
        credential: binary(32),
        passkey: binary(16),
        account: binary(16),
        credential_id: blob,
        public_key: blob,
        counter: "bigint",
        backup_eligible: "integer",
        backed_up: "integer",
        transports: ascii(TRANSPORTS_CHARACTERS),
        aaguid: binary(16),
        name: text,
        created_at_ms: "bigint",
      },
      nullable: { last_used_at_ms: "bigint" },
      key: ["credential"],
    }),
    "056_passkey_account": index("passkey", "account", ["account", "created_at_ms"]),
    "057_passkey_challenge": table("passkey_challenge", {
      columns: {
        challenge: binary(32),
        browser: binary(32),
        purpose: ascii(8),
        created_at_ms: "bigint",
        expires_at_ms: "bigint",
      },
      nullable: { account: binary(16) },
      key: ["challenge"],
    }),
    "058_passkey_challenge_expiry": index("passkey_challenge", "expiry", ["expires_at_ms"]),
    "059_pushed_request": table("pushed_request", {
      columns: { request_uri: binary(32), client: binary(16), parameters: text, expires_at_ms: "bigint" },
      nullable: { used_at_ms: "bigint" },
      key: ["request_uri"],
    }),
    "060_pushed_request_expiry": index("pushed_request", "expiry", ["expires_at_ms"]),
    "061_used_jwt_id": table("used_jwt_id", {
      columns: { used_jwt_id: binary(32), expires_at_ms: "bigint" },
      nullable: { request_id: ascii(36) },
      key: ["used_jwt_id"],
    }),
    "062_used_jwt_id_expiry": index("used_jwt_id", "expiry", ["expires_at_ms"]),
    "063_rsa_signing_key": table("rsa_signing_key", signingKeys),
    "064_recovery": table("recovery", {
      columns: {
        account: binary(16),
        recovery: binary(16),
        begun_at_ms: "bigint",
        ready_at_ms: "bigint",
        expires_at_ms: "bigint",
        language: ascii(8),
        notices_sent: "integer",
        notice_due_at_ms: "bigint",
      },
      nullable: { by_operator: "integer" },
      key: ["account"],
    }),
    "065_recovery_notice_due": index("recovery", "notice_due", ["notice_due_at_ms"]),
    "066_recovery_pass": table("recovery_pass", {
      columns: { token: binary(32), account: binary(16), created_at_ms: "bigint", expires_at_ms: "bigint" },
      key: ["token"],
    }),
    "067_recovery_pass_expiry": index("recovery_pass", "expiry", ["expires_at_ms"]),
    "068_recovery_pass_account": index("recovery_pass", "account", ["account"]),
    "069_account_sign_in_features": addColumns("account", { user_handle: binary(32), passkey_required: "integer" }),
    "070_session_sign_in_features": addColumns("session", { authenticated_by: ascii(8) }),
    "071_authorization_code_sign_in_features": addColumns("authorization_code", {
      authenticated_by: ascii(8),
      nonce: ascii(NONCE_CHARACTERS),
      dpop_jkt: binary(32),
    }),
    "072_token_family_sign_in_features": addColumns("token_family", {
      authenticated_by: ascii(8),
      dpop_jkt: binary(32),
      dpop_bound_at_ms: "bigint",
    }),
    "073_client_sign_in_features": addColumns("client", {
      require_pushed_authorization_requests: "integer",
      dpop_bound_access_tokens: "integer",
      id_token_signed_response_alg: ascii(8),
      token_endpoint_auth_method: ascii(32),
      jwks: text,
      post_logout_redirect_uris: text,
    }),
    "074_authorization_request_sign_in_features": addColumns("authorization_request", {
      prompts: ascii(64),
      max_age_s: "bigint",
      login_hint: ascii(EMAIL_CHARACTERS),
      nonce: ascii(NONCE_CHARACTERS),
      hinted_subject: ascii(64),
      chosen_account: binary(16),
      dpop_jkt: binary(32),
    }),
    "075_sale_access_sign_in_features": addColumns("sale_access", { passkeys_required: "integer" }),
    "076_account_locks": addColumn("account", "locks", "bigint"),
    "077_sale_access_locks": addColumn("sale_access", "locks", "bigint"),
    "078_authorization_code_auth_time": addColumn("authorization_code", "id_token_auth_time", "integer"),
    "079_token_family_auth_time": addColumn("token_family", "id_token_auth_time", "integer"),
    "080_account_email_domains": convertEmailDomains(dialect),
    "081_sign_in_without_code": addColumn("sign_in", "without_code", "integer"),
    "082_sign_in_browser": index("sign_in", "browser", ["browser", "without_code"]),
  };
}
