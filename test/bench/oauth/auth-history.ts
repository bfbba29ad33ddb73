import { createHash } from "node:crypto";
import { sql } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import { APPLICATION, CODE_CHALLENGE } from "./application.ts";

/** The rows that an auth database has before a benchmark. */
export interface AuthHistory {
  readonly accounts: number;
  /** Codes that have expired but are still kept, which they are for a day. */
  readonly expiredCodes: number;
}

const ROWS_PER_STATEMENT = 50_000;
const HOUR_MS = 3_600_000;

/** The key of the account with a number from 1. Keys are spread over the key space. */
export function accountKey(number: number): Buffer {
  return createHash("md5").update(String(number)).digest();
}

export function accountEmail(number: number): string {
  return `user-${number}@bench.example`;
}

/** The number of clients besides the application's, so that query plans are those of a real table. */
const OTHER_CLIENTS = 1_000;

/** Fills a database that has only the application's client. Takes about 30 s for a million accounts and codes. */
export async function fillHistory(database: AuthDatabase, { accounts, expiredCodes }: AuthHistory): Promise<void> {
  const before = Date.now() - HOUR_MS;
  const client = bytesOfHex(APPLICATION.clientId);
  const scopes = APPLICATION.scopes.join(" ");
  for (const numbers of ranges(accounts)) {
    await sql`insert into account (account, email, created_at_ms)
      select unhex(md5(seq)), concat('user-', seq, '@bench.example'), ${before} from ${numbers}`.execute(
      database.query,
    );
    await sql`insert into consent (account, client, granted, declined, updated_at_ms)
      select unhex(md5(seq)), ${client}, ${scopes}, '', ${before} from ${numbers}`.execute(database.query);
  }
  for (const numbers of ranges(expiredCodes)) {
    await sql`insert into authorization_code (code, client, account, family, redirect_uri, scopes, code_challenge,
        token_generation, authenticated_at_ms, created_at_ms, expires_at_ms, redeemed_at_ms)
      select unhex(sha2(concat('expired ', seq), 256)), ${client}, unhex(md5(1 + seq % ${accounts})), unhex(md5(concat('family ', seq))),
        ${APPLICATION.redirectUri}, ${scopes}, ${CODE_CHALLENGE},
        0, ${before}, ${before}, ${before + 60_000} + seq, null from ${numbers}`.execute(database.query);
  }
  await sql`insert into client (client, sale, tenancy, sale_name, name, status, version, redirect_uris, scopes, square_logo,
      wide_logo, token_generation, created_at_ms)
    select unhex(md5(concat('client ', seq))), unhex(md5(concat('sale ', seq))), tenancy, sale_name, name, status, version,
      redirect_uris, scopes, square_logo, wide_logo, token_generation, created_at_ms
    from client, ${sql.table(`seq_1_to_${OTHER_CLIENTS}`)}`.execute(database.query);
  await sql`analyze table account, authorization_code, client, consent`.execute(database.query);
}

/** Sequence tables of MariaDB that together have the numbers from 1 to `count`. */
function ranges(count: number) {
  return Array.from({ length: Math.ceil(count / ROWS_PER_STATEMENT) }, (_, part) => {
    const first = part * ROWS_PER_STATEMENT + 1;
    return sql.table(`seq_${first}_to_${Math.min(count, first + ROWS_PER_STATEMENT - 1)}`);
  });
}
