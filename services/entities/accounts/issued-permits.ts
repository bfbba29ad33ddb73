import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Kysely } from "kysely";
import { formatWallet, walletOfRow } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import {
  type IssuedPermitSummary,
  IssuedPermitSummarySchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { PermitRange } from "../base/context.ts";
import type { EntitiesSchema } from "../base/schema.ts";

/** Returns the permits of entities, the newest first, as their person may read them. */
export async function issuedPermits(
  query: Kysely<EntitiesSchema>,
  entityUuids: readonly string[],
  { sinceMs, limit }: PermitRange,
): Promise<readonly IssuedPermitSummary[]> {
  if (entityUuids.length === 0) return [];
  const rows = await query
    .selectFrom("permit")
    .select(["sale", "entity", "kind", "wallet", "client", "issued_at_ms", "expires_at_ms"])
    .where("entity", "in", entityUuids.map(bytesOfHex))
    .where("issued_at_ms", ">=", sinceMs)
    .orderBy("issued_at_ms", "desc")
    .orderBy("permit", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) =>
    create(IssuedPermitSummarySchema, {
      saleUuid: uuidFromBytes(row.sale),
      entityUuid: uuidFromBytes(row.entity),
      wallet: formatWallet(walletOfRow(row)),
      clientUuid: uuidFromBytes(row.client),
      issuedAt: timestampFromMs(Number(row.issued_at_ms)),
      expiresAt: timestampFromMs(Number(row.expires_at_ms)),
    }),
  );
}
