import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../base/context.ts";
import { requireActor, requireRole, visibleSales } from "../memberships/require-role.ts";
import { admitOpening } from "./admit-opening.ts";
import { clientMessage, clientSummaryMessage } from "./application-message.ts";
import { isRegisteredOrigin, readClientsOf, readClientsOfSales } from "./applications-store.ts";
import { changeClientStatus } from "./change-application-status.ts";
import { completeRemoval } from "./complete-removal.ts";
import { countSignIns } from "./count-sign-ins.ts";
import { createClient } from "./create-application.ts";
import { findLogo } from "./logos-store.ts";
import { requestedClient } from "./requested-application.ts";
import { setLogo } from "./set-logo.ts";
import { updateClient } from "./update-application.ts";

/** The methods of `ClientService`. */
export function clientMethods(context: AuthContext): ServiceImpl<typeof ClientService> {
  const { database } = context;
  return {
    createClient: createClient(context),
    updateClient: updateClient(context),
    setLogo: setLogo(context),
    countSignIns: countSignIns(context),

    async getClient(request, call) {
      const { client } = await requestedClient(context, request, call, "viewer");
      return { client: clientMessage(client), accessTokenAudience: context.accessTokenAudience };
    },

    async listClients(request, call) {
      const actor = requireActor(call);
      const saleUuid = request.saleUuid.toLowerCase();
      const clients = await database.read(async (query) => {
        await requireRole(query, actor, saleUuid, "viewer");
        return readClientsOf(query, saleUuid);
      });
      return { clients: clients.map(clientMessage) };
    },

    async listClientSummaries({ saleUuids }, call) {
      const actor = requireActor(call);
      const sales = await database.read(async (query) => {
        const visible = await visibleSales(query, actor, saleUuids);
        const clients = Map.groupBy(await readClientsOfSales(query, visible), ({ saleUuid }) => saleUuid);
        return visible.map((saleUuid) => ({ saleUuid, clients: clients.get(saleUuid) ?? [] }));
      });
      return { sales: sales.map((sale) => ({ ...sale, clients: sale.clients.map(clientSummaryMessage) })) };
    },

    async enableClient(request, call) {
      return { client: clientMessage(await changeClientStatus(context, request, call, "active")) };
    },

    async disableClient(request, call) {
      return { client: clientMessage(await changeClientStatus(context, request, call, "disabled")) };
    },

    /** Needs no role: the pages of an authorization show logos to everyone. */
    async getLogo({ logo }) {
      const stored = await findLogo(database, logo);
      if (stored === undefined) throw new ServiceError("not_found", `there is no logo ${logo}`);
      return { mediaType: stored.mediaType, image: new Uint8Array(stored.bytes) };
    },
  };
}

/** The method of `AuthorizationService` for the web origins of clients. */
export function originMethods({
  database,
}: AuthContext): Pick<ServiceImpl<typeof AuthorizationService>, "checkOrigin"> {
  return { checkOrigin: async ({ origin }) => ({ registered: await isRegisteredOrigin(database, origin) }) };
}

/**
 * The methods of `MembershipService` for the opening of a sale, which needs a client that is ready, and for its removal,
 * which ends its clients.
 */
export function openingMethods(
  context: AuthContext,
): Pick<ServiceImpl<typeof MembershipService>, "admitOpening" | "completeRemoval"> {
  return {
    admitOpening: admitOpening(context),

    async completeRemoval({ saleUuid }, call) {
      await completeRemoval(context, saleUuid.toLowerCase(), call);
      return {};
    },
  };
}
