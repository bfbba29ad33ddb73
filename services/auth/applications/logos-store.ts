import { sql, type Transaction } from "kysely";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { type LogoImage, logoHash, type StoredLogo } from "../../../common/platform/images/logo-image.ts";
import type { AuthDatabase, AuthSchema } from "../base/schema.ts";

/** Finds a logo by its content hash (hex). */
export async function findLogo(database: AuthDatabase, logo: string): Promise<StoredLogo | undefined> {
  const row = await database.read((query) =>
    query.selectFrom("logo").selectAll().where("logo", "=", bytesOfHex(logo)).executeTakeFirst(),
  );
  return row && { mediaType: row.media_type, bytes: row.image };
}

/**
 * Stores a logo once for all clients that use it, and locks its row.
 *
 * @returns the content hash, hex.
 */
export async function storeLogo(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  image: LogoImage,
): Promise<string> {
  const logo = logoHash(image);
  const { mediaType, bytes } = image;
  await transaction
    .insertInto("logo")
    .values({ logo: bytesOfHex(logo), media_type: mediaType, image: Buffer.from(bytes) })
    // An existing row keeps its values, but this locks it.
    .modifyEnd(sql.raw(dialect.upsertClause(["logo"], ["media_type"])))
    .execute();
  return logo;
}

/** Deletes a logo that no client uses. It locks the row first, so that a client that is about to use it doesn't lose it. */
export async function deleteUnusedLogo(
  transaction: Transaction<AuthSchema>,
  dialect: SqlDialect,
  logo: string,
): Promise<void> {
  const key = bytesOfHex(logo);
  await dialect.lockRows(transaction.selectFrom("logo").select("logo").where("logo", "=", key)).execute();
  for (const column of ["square_logo", "wide_logo"] as const) {
    const user = await transaction.selectFrom("client").select("client").where(column, "=", key).limit(1).execute();
    if (user.length > 0) return;
  }
  await transaction.deleteFrom("logo").where("logo", "=", key).execute();
}
