import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readFreezes } from "./freezes-store.ts";

/** The most freezes of one answer. */
const MAX_LISTED = 1_000;

export function listFreezes(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["listFreezes"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await requireRole(dependencies, context, saleUuid, "viewer");
    const freezes = await dependencies.database.read((query) => readFreezes(query, saleUuid, MAX_LISTED));
    return {
      freezes: freezes.map(({ saleSpecificId, note, sinceMs }) => ({
        saleSpecificEntityId: Uint8Array.from(saleSpecificId),
        note,
        since: timestampFromMs(Number(sinceMs)),
      })),
    };
  };
}
