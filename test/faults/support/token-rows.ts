import { decodeJwt } from "jose";
import { expect } from "vitest";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { opaqueTokenHash } from "../../../services/auth/base/opaque-token.ts";
import type { AuthDatabase } from "../../../services/auth/base/schema.ts";
import { familyOfTokenId } from "../../../services/auth/signed-tokens/access-tokens.ts";
import type { TokenUser } from "./token-user.ts";

/** Everything that was issued, from the database: codes, tokens and audit events of each token family. */
interface IssuedRows {
  readonly redeemed: Map<string, number>;
  readonly families: ReadonlySet<string>;
  readonly tokens: ReadonlyMap<string, { readonly family: string; readonly used: boolean }>;
  /** The number of events by name and family. */
  readonly events: Map<string, number>;
}

/** Compares the tokens that users received with the database. */
export async function expectTokensAgree(database: AuthDatabase, users: readonly TokenUser[]): Promise<void> {
  const rows = await readRows(database);
  expectOnce(rows);
  expectChains(rows);
  const exchanged = users.flatMap((user) => user.exchanged);
  expect(new Set(exchanged.map(({ code }) => code)).size).toBe(exchanged.length);
  const given = [...exchanged, ...users.flatMap((user) => user.refreshed)].map(({ tokens }) => tokens);
  const withoutRow = given.filter(({ accessToken, refreshToken }) => {
    const { jti } = decodeJwt(accessToken);
    const family = keyOf(familyOfTokenId(jti ?? "") ?? "");
    const row = rows.tokens.get(hexOfBytes(opaqueTokenHash(refreshToken)));
    return row === undefined || row.family !== family || !rows.families.has(family);
  });
  expect(withoutRow).toEqual([]);
}

/** Expects that each redeemed code was redeemed once and has one family, and that other codes have none. */
function expectOnce({ redeemed, families, events }: IssuedRows): void {
  expect(new Set(redeemed.keys())).toEqual(families);
  for (const family of families) {
    expect([family, redeemed.get(family), events.get(`tokens.issued ${family}`)]).toEqual([family, 1, 1]);
  }
}

/** Expects that the refresh tokens of a family are a chain: each except the last was used to get the next. */
function expectChains({ tokens, families, events }: IssuedRows): void {
  const chains = Map.groupBy(tokens.values(), ({ family }) => family);
  expect(new Set(chains.keys())).toEqual(families);
  for (const [family, chain] of chains) {
    const used = chain.filter((token) => token.used).length;
    const refreshes = events.get(`tokens.refreshed ${family}`) ?? 0;
    expect([family, used, refreshes]).toEqual([family, chain.length - 1, chain.length - 1]);
  }
}

async function readRows({ query }: AuthDatabase): Promise<IssuedRows> {
  const codes = await query
    .selectFrom("authorization_code")
    .select("family")
    .where("redeemed_at_ms", "is not", null)
    .execute();
  const families = await query.selectFrom("token_family").select("family").execute();
  const tokens = await query.selectFrom("refresh_token").select(["token", "family", "used_at_ms"]).execute();
  const audit = await query.selectFrom("audit").select(["event", "details"]).execute();
  const events = audit.map(({ event, details }) => `${event} ${keyOf(String(JSON.parse(details).family ?? ""))}`);
  return {
    redeemed: counted(codes.map(({ family }) => hexOfBytes(family))),
    families: new Set(families.map(({ family }) => hexOfBytes(family))),
    tokens: new Map(
      tokens.map(({ token, family, used_at_ms }) => [
        hexOfBytes(token),
        { family: hexOfBytes(family), used: used_at_ms !== null },
      ]),
    ),
    events: counted(events),
  };
}

function keyOf(uuid: string): string {
  return bytesOfHex(uuid).toString("hex");
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
