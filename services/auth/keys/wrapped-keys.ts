import type { WrappedKind } from "../../shared/rewrap/wrapped-kind.ts";
import { bothKeys } from "../../shared/secrets/both-keys.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { AuthDatabase } from "../base/schema.ts";

interface Dependencies {
  readonly database: AuthDatabase;
  readonly derivedKeys: Pick<DerivedKeys, "signingKeyWrap" | "other">;
}

/** Returns the secrets of auth that `KEY_ENCRYPTION_KEY` wraps: the private signing keys of both algorithms. */
export function wrappedKeys(dependencies: Dependencies): readonly WrappedKind[] {
  return [wrappedKind(dependencies, "signing_key"), wrappedKind(dependencies, "rsa_signing_key")];
}

function wrappedKind({ database, derivedKeys }: Dependencies, kind: "signing_key" | "rsa_signing_key"): WrappedKind {
  // Both tables have the same columns; the name is for the types of the queries.
  const table = kind as "signing_key";
  return {
    kind,
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
    async store(rows) {
      await database.write(async (transaction) => {
        for (const { name, wrapped, rewrapped } of rows) {
          await transaction
            .updateTable(table)
            .set({ private_key: Buffer.from(rewrapped) })
            .where("key_id", "=", name)
            .where("private_key", "=", Buffer.from(wrapped))
            .execute();
        }
      });
    },
  };
}
