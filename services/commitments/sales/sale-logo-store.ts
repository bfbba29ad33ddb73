import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type LogoImage, logoHash, type StoredLogo } from "../../../common/platform/images/logo-image.ts";
import type { Tx } from "../base/sale-rows.ts";
import type { CommitmentsDatabase } from "../base/schema.ts";

/**
 * Reads the logo of a sale that isn't withdrawn.
 *
 * @param logo the SHA-256 of its image, hex
 * @throws ServiceError `not_found`
 */
export async function readLogo(database: CommitmentsDatabase, logo: string): Promise<StoredLogo> {
  const row = await database.read((connection) =>
    connection
      .selectFrom("sale_logo")
      .innerJoin("sale_state", "sale_state.sale", "sale_logo.sale")
      .select(["media_type", "image"])
      .where("logo", "=", bytesOfHex(logo))
      .where("status", "!=", "withdrawn")
      .limit(1)
      .executeTakeFirst(),
  );
  if (row === undefined) throw new ServiceError("not_found", `no sale has the logo ${logo}`);
  return { mediaType: row.media_type, bytes: row.image };
}

/** Stores the logo of a sale in place of the one before; without an image there is none. The transaction must have locked it. */
export async function storeLogo(transaction: Tx, saleUuid: string, image: LogoImage | undefined): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  await transaction.deleteFrom("sale_logo").where("sale", "=", sale).execute();
  if (image === undefined) return;
  const { mediaType, bytes } = image;
  const row = { sale, logo: bytesOfHex(logoHash(image)), media_type: mediaType, image: Buffer.from(bytes) };
  await transaction.insertInto("sale_logo").values(row).execute();
}
