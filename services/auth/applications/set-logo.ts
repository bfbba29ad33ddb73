import type { ServiceImpl } from "@connectrpc/connect";
import { checkLogoImage } from "../../../common/platform/images/logo-image.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { observeSale } from "../memberships/read-sale.ts";
import { requireRole } from "../memberships/require-role.ts";
import { clientMessage, shapeOf } from "./application-message.ts";
import { changeClient } from "./change-application.ts";
import { deleteUnusedLogo, storeLogo } from "./logos-store.ts";
import { requestedClient } from "./requested-application.ts";

const LOGO = { square: "squareLogo", wide: "wideLogo" } as const;

export function setLogo(context: AuthContext): ServiceImpl<typeof ClientService>["setLogo"] {
  const { database, clock } = context;
  const { dialect } = database;
  return async (request, call) => {
    const { client: storedClient, actor } = await requestedClient(context, request, call, "editor");
    const shape = shapeOf(request.shape);
    const image = checkLogoImage(request.image, shape);
    const changed = await changeClient(database, {
      storedClient,
      observation: await observeSale(context, storedClient.saleUuid, call),
      async decide(transaction, client) {
        await requireRole(transaction, actor, client.saleUuid, "editor");
        const logo = await storeLogo(transaction, dialect, image);
        return client[LOGO[shape]] === logo ? client : { ...client, [LOGO[shape]]: logo };
      },
      async stored(transaction, before, { uuid, saleUuid }) {
        const replaced = before[LOGO[shape]];
        if (replaced !== undefined) await deleteUnusedLogo(transaction, dialect, replaced);
        const event = { event: "client.logo_set", clientUuid: uuid, saleUuid, details: { shape } } as const;
        await recordEvent(transaction, founderEvent({ actor, peer: request.peer }, event), clock());
      },
    });
    return { client: clientMessage(changed) };
  };
}
