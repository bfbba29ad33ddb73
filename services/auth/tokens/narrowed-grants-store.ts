import type { Transaction } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { OPENID, scopesOfText, scopeText } from "../base/oauth/scope.ts";
import type { AuthSchema } from "../base/schema.ts";

/** The account that has granted something to a client. */
interface GrantKey {
  readonly accountUuid: string;
  readonly clientUuid: string;
}

/**
 * Removes scopes for good from everything that was granted before: from the tokens of an account for a client, and codes
 * that have more than `consented` can no longer be exchanged. Only call it with the account locked.
 */
export async function narrowGrants(
  transaction: Transaction<AuthSchema>,
  { accountUuid, clientUuid }: GrantKey,
  consented: readonly string[],
): Promise<void> {
  const consentedScopes = [OPENID, ...consented];
  const [account, client] = [bytesOfHex(accountUuid), bytesOfHex(clientUuid)];
  // Codes first: the deletion waits for an exchange that is under way, whose family is then found.
  const codes = await transaction
    .selectFrom("authorization_code")
    .select("scopes")
    .distinct()
    .where("account", "=", account)
    .where("client", "=", client)
    .where("redeemed_at_ms", "is", null)
    .execute();
  for (const scopes of widerThan(consentedScopes, codes)) {
    await transaction
      .deleteFrom("authorization_code")
      .where("account", "=", account)
      .where("client", "=", client)
      .where("redeemed_at_ms", "is", null)
      .where("scopes", "=", scopes)
      .execute();
  }
  const families = await transaction
    .selectFrom("token_family")
    .select("scopes")
    .distinct()
    .where("account", "=", account)
    .where("client", "=", client)
    .where("revoked_at_ms", "is", null)
    .execute();
  for (const scopes of widerThan(consentedScopes, families)) {
    await transaction
      .updateTable("token_family")
      .set({ scopes: scopeText(scopesOfText(scopes).filter((scope) => consentedScopes.includes(scope))) })
      .where("account", "=", account)
      .where("client", "=", client)
      .where("revoked_at_ms", "is", null)
      .where("scopes", "=", scopes)
      .execute();
  }
}

function widerThan(
  consentedScopes: readonly string[],
  rows: readonly { readonly scopes: string }[],
): readonly string[] {
  return rows
    .map(({ scopes }) => scopes)
    .filter((scopes) => scopesOfText(scopes).some((scope) => !consentedScopes.includes(scope)));
}
