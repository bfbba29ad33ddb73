import type { ServiceImpl } from "@connectrpc/connect";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { actingPerson, requireRole } from "../memberships/required-role.ts";
import { clientMessage } from "./client-message.ts";
import { readClientsOf } from "./clients-store.ts";
import type { ClientDependencies } from "./dependencies.ts";

export function listClients({
  database,
}: Pick<ClientDependencies, "database">): ServiceImpl<typeof ClientService>["listClients"] {
  return async (request, context) => {
    const actor = actingPerson(context);
    const saleUuid = request.saleUuid.toLowerCase();
    const clients = await database.read(async (query) => {
      await requireRole(query, actor, saleUuid, "viewer");
      return readClientsOf(query, saleUuid);
    });
    return { clients: clients.map(clientMessage) };
  };
}
