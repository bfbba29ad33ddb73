import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { OAuthError } from "../base/oauth-error.ts";
import type { AuthDatabase } from "../base/schema.ts";
import type { TokenHolder } from "./token-holder.ts";

/**
 * Checks the client that a request names. It costs a statement only if that isn't the client of the presented code or
 * token, so for a request that is refused in any case.
 *
 * @param clientUuid undefined where the request names none.
 * @param holder the holder of the code or token; undefined for an unknown one.
 * @throws OAuthError `invalid_client` for a client that is unknown or disabled (RFC 6749 section 5.2).
 */
export async function requireNamedClient(
  { database }: { readonly database: AuthDatabase },
  clientUuid: string | undefined,
  holder: Pick<TokenHolder, "clientUuid" | "clientIsActive"> | undefined,
): Promise<void> {
  if (clientUuid === undefined) return;
  const isOfHolder = clientUuid === holder?.clientUuid;
  if (isOfHolder ? holder.clientIsActive : await isActiveClient(database, clientUuid)) return;
  throw new OAuthError("invalid_client", "client_id is unknown, or the client is disabled");
}

async function isActiveClient(database: AuthDatabase, clientUuid: string): Promise<boolean> {
  const row = await database.read((query) =>
    query.selectFrom("client").select("status").where("client", "=", bytesOfHex(clientUuid)).executeTakeFirst(),
  );
  return row?.status === "active";
}
