import type { ServiceImpl } from "@connectrpc/connect";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { addToCount, readParticipantCounts } from "../rules/participant-counts-store.ts";
import { deleteMembers } from "./members-store.ts";
import { recordParticipants } from "./record-participants.ts";

export function removeMembers(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["removeMembers"] {
  const { database } = dependencies;
  const { dialect } = database;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = await requireRole(dependencies, context, saleUuid, "editor");
    const { members: before } = await database.read((query) => readParticipantCounts(query, saleUuid));
    await recordParticipants(dependencies, principal, saleUuid, { field: "Members", action: "removal", before });
    const removed = await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSaleForChange(transaction, dialect, saleUuid);
      const deleted = await deleteMembers(transaction, saleUuid, request.memberUuids.map(bytesOfHex));
      await addToCount(transaction, dialect, saleUuid, "members", -deleted);
      return deleted;
    });
    return { removed };
  };
}
