import type { Kysely } from "kysely";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { AuthSchema } from "../base/schema.ts";
import { pairwiseSubject } from "./pairwise-subject.ts";

/** Returns the `sub` of an account in the tokens of a sale; undefined for a sale that isn't registered. */
export async function findSubject(
  query: Kysely<AuthSchema>,
  { accountUuid, saleUuid }: { readonly accountUuid: string; readonly saleUuid: string },
): Promise<string | undefined> {
  const row = await query
    .selectFrom("sale_access")
    .select("subject_salt")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row && pairwiseSubject(row.subject_salt, accountUuid);
}
