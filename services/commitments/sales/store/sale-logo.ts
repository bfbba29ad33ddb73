import { bytesOfHex } from "../../../../common/platform/encoding/hex.ts";
import { type LogoImage, logoHash } from "../../../../common/platform/images/logo-image.ts";
import type { Tx } from "../../base/sale-rows.ts";

/** Stores the logo of a sale in place of the one before; without an image there is none. The transaction must have locked it. */
export async function storeLogo(transaction: Tx, saleUuid: string, image: LogoImage | undefined): Promise<void> {
  const sale = bytesOfHex(saleUuid);
  await transaction.deleteFrom("sale_logo").where("sale", "=", sale).execute();
  if (image === undefined) return;
  const { mediaType, bytes } = image;
  const row = { sale, logo: bytesOfHex(logoHash(image)), media_type: mediaType, image: Buffer.from(bytes) };
  await transaction.insertInto("sale_logo").values(row).execute();
}
