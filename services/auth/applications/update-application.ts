import { isDeepStrictEqual } from "node:util";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { type Member, readMembers } from "../memberships/members-store.ts";
import { observeSale } from "../memberships/read-sale.ts";
import type { Client } from "./application.ts";
import { clientMessage, definitionOf } from "./application-message.ts";
import { changeClient } from "./change-application.ts";
import { clientChanges } from "./definition/application-changes.ts";
import { type ClientDefinition, checkClientDefinition } from "./definition/application-definition.ts";
import { sensitiveChange } from "./definition/sensitive-change.ts";
import { notifyOfChange } from "./notify-of-change.ts";
import { requestedClient } from "./requested-application.ts";
import { requireChanger } from "./require-changer.ts";

export function updateClient(context: AuthContext): ServiceImpl<typeof ClientService>["updateClient"] {
  const { database, clock } = context;
  return async (request, call) => {
    const { client: storedClient, actor } = await requestedClient(context, request, call, "editor");
    const definition = checkClientDefinition(definitionOf(request), storedClient.tenancy, storedClient.definition);
    let members: readonly Member[] = [];
    let before: ClientDefinition = storedClient.definition;
    const changed = await changeClient(database, {
      storedClient,
      observation: await observeSale(context, storedClient.saleUuid, call),
      async decide(transaction, client) {
        const change = sensitiveChange(client.definition, definition);
        await requireChanger(transaction, actor, client.saleUuid, change, clock());
        requireVersion(client, request.expectedVersion);
        // Security settings that the request leaves out were taken from it.
        requireVersion(storedClient, request.expectedVersion);
        return isDeepStrictEqual(client.definition, definition) ? client : { ...client, definition };
      },
      async stored(transaction, client, { uuid, saleUuid, version }) {
        before = client.definition;
        const { redirectUris } = sensitiveChange(before, definition);
        const details = { version: version.toString(), redirect_uris: redirectUris };
        const changes = clientChanges(before, definition);
        const event = { event: "client.changed", clientUuid: uuid, saleUuid, details, changes } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
        members = await readMembers(transaction, saleUuid);
      },
    });
    notifyOfChange(context, members, actor, { client: changed, before });
    return { client: clientMessage(changed) };
  };
}

function requireVersion({ version }: Client, expected: bigint): void {
  if (version === expected) return;
  throw new ServiceError("aborted", `the client is at version ${version}; read it again`);
}
