import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type {
  AdmitOpeningRequest,
  MembershipService,
} from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Actor } from "../../shared/rpc/identity/actor.ts";
import { recordEvent } from "../base/audit-store.ts";
import { readMembers } from "../memberships/members-store.ts";
import { notifyOwners } from "../memberships/notify-owners.ts";
import { requireRecentRole } from "../memberships/require-role.ts";
import { ensureSaleAccess, lockSale, storeOpening } from "../memberships/sale-access-store.ts";
import { requireOpenable } from "./client-readiness.ts";
import { readClientsOf } from "./clients-store.ts";
import type { ClientDependencies } from "./dependencies.ts";

export function admitOpening(dependencies: ClientDependencies): ServiceImpl<typeof MembershipService>["admitOpening"] {
  const { database, clock } = dependencies;
  return async (request) => {
    const actor = openerOf(request);
    const saleUuid = request.saleUuid.toLowerCase();
    await ensureSaleAccess(database, saleUuid);
    const { members, saleName } = await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSale(transaction, database.dialect, saleUuid);
      await requireRecentRole(transaction, actor, saleUuid, "owner", clock());
      const { saleName } = requireOpenable(await readClientsOf(transaction, saleUuid));
      await storeOpening(transaction, saleUuid, clock());
      await recordEvent(
        transaction,
        { event: "sale.opening_admitted", saleUuid, accountUuid: actor?.accountUuid },
        clock(),
      );
      return { members: await readMembers(transaction, saleUuid), saleName };
    });
    notifyOwners(dependencies, members, actor, { event: "sale_opened", saleName });
    return {};
  };
}

/** The person who opens the sale, as the commitments service names it; undefined for an operator. */
function openerOf({ accountUuid, authenticatedAt }: AdmitOpeningRequest): Actor | undefined {
  if (accountUuid === "") return undefined;
  const authenticatedAtMs = authenticatedAt === undefined ? 0n : BigInt(timestampMs(authenticatedAt));
  return { accountUuid: accountUuid.toLowerCase(), authenticatedAtMs };
}
