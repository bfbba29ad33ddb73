import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Kysely } from "kysely";
import { formatWallet, walletOfRow } from "../../../common/chains/wallet.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import {
  type IssuedPermitSummary,
  IssuedPermitSummarySchema,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { PermitRange } from "../base/context.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { readIssuedPermits } from "./issued-permits-store.ts";

/** Returns the permits of entities, the newest first, as their person may read them. */
export async function issuedPermits(
  query: Kysely<EntitiesSchema>,
  entityUuids: readonly string[],
  range: PermitRange,
): Promise<readonly IssuedPermitSummary[]> {
  if (entityUuids.length === 0) return [];
  const rows = await readIssuedPermits(query, entityUuids, range);
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
