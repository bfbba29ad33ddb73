import { ConfigError } from "../../common/platform/config/config-error.ts";
import { bytesOfHex, hexOfBytes } from "../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../common/platform/encoding/uuid.ts";
import { countUnreadable } from "../../common/platform/rewrap/rewrap-batch.ts";
import { storeEach } from "../../common/platform/rewrap/store-each.ts";
import type { WrappedKind } from "../../common/platform/rewrap/wrapped-kind.ts";
import { bothKeys } from "../../common/platform/secrets/both-keys.ts";
import type { EntitiesContext } from "./base/context.ts";
import type { StoredSecretTable } from "./base/secret-tables.ts";
import { wrapName } from "./members/members-store.ts";

type Dependencies = Pick<EntitiesContext, "database" | "derivedKeys">;

const ID_HEX_DIGITS = 32;

/**
 * Returns the secrets of the service that `KEY_ENCRYPTION_KEY` wraps, in the order in which they are wrapped anew: the last ones tell
 * a process that starts whether it has the right key.
 */
export function wrappedSecrets(dependencies: Dependencies): readonly WrappedKind[] {
  return [memberEmails(dependencies), permitKeys(dependencies), storedSecrets(dependencies)];
}

/** @throws ConfigError where a key that signs permits is wrapped by none of the configured keys */
export async function requireReadableKeys(dependencies: Dependencies): Promise<void> {
  const unreadable = await countUnreadable(permitKeys(dependencies));
  if (unreadable === 0) return;
  const keys = unreadable === 1 ? "a permit key" : `${unreadable} permit keys`;
  throw new ConfigError(
    "KEY_ENCRYPTION_KEY",
    `expected the key that wraps ${keys} in the database; KEY_ENCRYPTION_KEY_OTHER may be it, too`,
  );
}

function memberEmails({ database, derivedKeys }: Dependencies): WrappedKind {
  return {
    kind: "member_email",
    keys: bothKeys(derivedKeys, "memberEmail"),
    async read(after, limit) {
      const [sale, member] = memberOfCursor(after);
      const rows = await database.read((query) =>
        query
          .selectFrom("group_member")
          .select(["sale", "member", "key_value"])
          .where("key_kind", "=", "email")
          .where((either) =>
            either.or([
              either("sale", ">", sale),
              either.and([either("sale", "=", sale), either("member", ">", member)]),
            ]),
          )
          .orderBy("sale")
          .orderBy("member")
          .limit(limit)
          .execute(),
      );
      return rows.map((row) => ({
        cursor: `${hexOfBytes(row.sale)}${hexOfBytes(row.member)}`,
        name: wrapName(row.member),
        wrapped: row.key_value,
      }));
    },
    store: storeEach(database, (transaction, { cursor, wrapped, rewrapped }) => {
      const [sale, member] = memberOfCursor(cursor);
      return transaction
        .updateTable("group_member")
        .set({ key_value: Buffer.from(rewrapped) })
        .where("sale", "=", sale)
        .where("member", "=", member)
        .where("key_value", "=", Buffer.from(wrapped));
    }),
  };
}

/** Reads sale and member from a cursor. */
function memberOfCursor(cursor: string): readonly [sale: Buffer, member: Buffer] {
  return [idOfCursor(cursor.slice(0, ID_HEX_DIGITS)), idOfCursor(cursor.slice(ID_HEX_DIGITS))];
}

/** Reads an ID from a cursor. The empty cursor, before the first row, is all zeros, which no ID is. */
function idOfCursor(cursor: string): Buffer {
  return bytesOfHex(cursor.padEnd(ID_HEX_DIGITS, "0"));
}

function permitKeys({ database, derivedKeys }: Dependencies): WrappedKind {
  return {
    kind: "permit_key",
    keys: bothKeys(derivedKeys, "permitKeyWrap"),
    async read(after, limit) {
      const rows = await database.read((query) =>
        query
          .selectFrom("permit_key")
          .select(["permit_key", "private_key"])
          .where("permit_key", ">", idOfCursor(after))
          .where("private_key", "is not", null)
          .orderBy("permit_key")
          .limit(limit)
          .execute(),
      );
      return rows.map(({ permit_key, private_key }) => ({
        cursor: hexOfBytes(permit_key),
        name: uuidFromBytes(permit_key),
        wrapped: private_key ?? new Uint8Array(),
      }));
    },
    store: storeEach(database, (transaction, { cursor, wrapped, rewrapped }) =>
      transaction
        .updateTable("permit_key")
        .set({ private_key: Buffer.from(rewrapped) })
        .where("permit_key", "=", bytesOfHex(cursor))
        .where("private_key", "=", Buffer.from(wrapped)),
    ),
  };
}

function storedSecrets({ database, derivedKeys }: Dependencies): WrappedKind {
  return {
    kind: "stored_secret",
    keys: bothKeys(derivedKeys, "storedSecretWrap"),
    async read(after, limit) {
      const rows = await database.read((query) =>
        query
          .selectFrom("stored_secret")
          .selectAll()
          .where("name", ">", after as StoredSecretTable["name"])
          .orderBy("name")
          .limit(limit)
          .execute(),
      );
      return rows.map(({ name, secret }) => ({ cursor: name, name, wrapped: secret }));
    },
    store: storeEach(database, (transaction, { name, wrapped, rewrapped }) =>
      transaction
        .updateTable("stored_secret")
        .set({ secret: Buffer.from(rewrapped) })
        .where("name", "=", name as StoredSecretTable["name"])
        .where("secret", "=", Buffer.from(wrapped)),
    ),
  };
}
