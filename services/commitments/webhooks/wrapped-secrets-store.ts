import { ConfigError } from "../../../common/platform/config/config-error.ts";
import type { Database } from "../../../common/platform/db/database.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { countUnreadable } from "../../../common/platform/rewrap/rewrap-batch.ts";
import { storeEach } from "../../../common/platform/rewrap/store-each.ts";
import type { WrappedKind } from "../../../common/platform/rewrap/wrapped-kind.ts";
import { bothKeys, deriveBoth, type WithOther } from "../../../common/platform/secrets/both-keys.ts";
import { deriveKey } from "../../../common/platform/secrets/derive-key.ts";
import { unwrapWithAny, wrap } from "../../../common/platform/secrets/wrap.ts";
import type { CommitmentsSchema } from "../base/schema.ts";

const COLUMNS = { webhook_secret: "secret", previous_webhook_secret: "previous_secret" } as const;
/** Before the first endpoint: no UUID is all zeros. */
const NO_ID = "0".repeat(32);

/** Returns the secrets of the service that `KEY_ENCRYPTION_KEY` wraps: those of webhooks, and the ones that they replaced. */
export function wrappedSecrets(
  database: Database<CommitmentsSchema>,
  secrets: Pick<EndpointSecrets, "keys">,
): readonly WrappedKind[] {
  return [wrappedKind(database, secrets, "webhook_secret"), wrappedKind(database, secrets, "previous_webhook_secret")];
}

/** @throws ConfigError where the secret of a webhook is wrapped by none of the configured keys */
export async function requireReadableSecrets(kinds: readonly WrappedKind[]): Promise<void> {
  let unreadable = 0;
  for (const kind of kinds) unreadable += await countUnreadable(kind);
  if (unreadable === 0) return;
  throw new ConfigError(
    "KEY_ENCRYPTION_KEY",
    `expected the key that wraps the secrets of webhooks in the database, ${unreadable} can't be opened; KEY_ENCRYPTION_KEY_OTHER may be it, too`,
  );
}

function wrappedKind(
  database: Database<CommitmentsSchema>,
  { keys }: Pick<EndpointSecrets, "keys">,
  kind: keyof typeof COLUMNS,
): WrappedKind {
  const column = COLUMNS[kind];
  return {
    kind,
    keys,
    async read(after, limit) {
      const rows = await database.read((query) =>
        query
          .selectFrom("webhook_endpoint")
          .select(["endpoint", column])
          .where("endpoint", ">", bytesOfHex(after === "" ? NO_ID : after))
          .where(column, "is not", null)
          .orderBy("endpoint")
          .limit(limit)
          .execute(),
      );
      return rows.map((row) => ({
        cursor: hexOfBytes(row.endpoint),
        name: uuidFromBytes(row.endpoint),
        wrapped: row[column] ?? new Uint8Array(),
      }));
    },
    store: storeEach(database, (transaction, { cursor, wrapped, rewrapped }) =>
      transaction
        .updateTable("webhook_endpoint")
        .set({ [column]: Buffer.from(rewrapped) })
        .where("endpoint", "=", bytesOfHex(cursor))
        .where(column, "=", Buffer.from(wrapped)),
    ),
  };
}

/** Encrypts the secrets of endpoints for storage, each bound to its endpoint. */
export class EndpointSecrets {
  readonly #keys: WithOther<{ readonly webhookSecret: Uint8Array }>;

  /**
   * @param keyEncryptionKey `KEY_ENCRYPTION_KEY`, 32 bytes
   * @param other `KEY_ENCRYPTION_KEY_OTHER`, which only reads what was encrypted before
   */
  constructor(keyEncryptionKey: Uint8Array, other?: Uint8Array) {
    const derive = (key: Uint8Array) => ({ webhookSecret: deriveKey(key, "tidemark.commitments webhook secret") });
    this.#keys = deriveBoth(derive, keyEncryptionKey, other);
  }

  /** The present key, and after it the other one. */
  get keys(): readonly [Uint8Array, ...Uint8Array[]] {
    return bothKeys(this.#keys, "webhookSecret");
  }

  wrap(endpointUuid: string, secret: Uint8Array): Buffer {
    return wrap(this.#keys.webhookSecret, endpointUuid, secret);
  }

  /** Returns a secret; undefined if it was wrapped with neither key, or for another endpoint. */
  unwrap(endpointUuid: string, wrapped: Uint8Array): Buffer | undefined {
    return unwrapWithAny(this.keys, endpointUuid, wrapped);
  }
}
