import type { SignatureAlgorithm } from "../../../common/platform/jwt/signature-algorithm.ts";
import { storeEach } from "../../../common/platform/rewrap/store-each.ts";
import type { WrappedKind } from "../../../common/platform/rewrap/wrapped-kind.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { tableOf } from "./signing-keys-store.ts";

type Dependencies = Pick<AuthContext, "database" | "derivedKeys">;

/** Returns the secrets of auth that `KEY_ENCRYPTION_KEY` wraps: the private signing keys of both algorithms. */
export function wrappedKeys(context: Dependencies): readonly WrappedKind[] {
  return [wrappedKind(context, "ES256"), wrappedKind(context, "RS256")];
}

/** The kind has the name of the table. */
function wrappedKind({ database, derivedKeys }: Dependencies, algorithm: SignatureAlgorithm): WrappedKind {
  const table = tableOf(algorithm);
  return {
    kind: table,
    keys: bothKeys(derivedKeys, "signingKeyWrap"),
    async read(after, limit) {
      const query = (connection: AuthDatabase["query"]) =>
        connection
          .selectFrom(table)
          .select(["key_id", "private_key"])
          .where("key_id", ">", after)
          .orderBy("key_id")
          .limit(limit)
          .execute();
      const rows = await database.read(query);
      return rows.map(({ key_id, private_key }) => ({ cursor: key_id, name: key_id, wrapped: private_key }));
    },
    store: storeEach(database, (transaction, { name, wrapped, rewrapped }) =>
      transaction
        .updateTable(table)
        .set({ private_key: Buffer.from(rewrapped) })
        .where("key_id", "=", name)
        .where("private_key", "=", Buffer.from(wrapped)),
    ),
  };
}
