import type { ServiceImpl } from "@connectrpc/connect";
import { countByHour, HOUR_MS, type HourCount } from "../../../common/platform/db/hour-counts.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { checkLogoImage } from "../../../common/platform/images/logo-image.ts";
import type { AuthorizationService } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { ClientService } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { MembershipService } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { founderEvent } from "../audit/founder-event.ts";
import type { AuthContext } from "../base/context.ts";
import { SIGN_IN_COUNT_DAYS } from "../base/lifetimes.ts";
import { timestampOf } from "../base/timestamp-message.ts";
import { observeSale } from "../memberships/read-sale.ts";
import { requireActor, requireRole, visibleSales } from "../memberships/require-role.ts";
import { admitOpening } from "./admit-opening.ts";
import { clientMessage, clientSummaryMessage, shapeOf } from "./application-message.ts";
import { isRegisteredOrigin, readClientsOf, readClientsOfSales } from "./applications-store.ts";
import { changeClient, changeClientStatus } from "./change-application.ts";
import { completeRemoval } from "./complete-removal.ts";
import { createClient } from "./create-application.ts";
import { deleteUnusedLogo, findLogo, storeLogo } from "./logos-store.ts";
import { requestedClient } from "./requested-application.ts";
import { SIGN_INS } from "./sign-in-counts-store.ts";
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

const LOGO = { square: "squareLogo", wide: "wideLogo" } as const;

function setLogo(context: AuthContext): ServiceImpl<typeof ClientService>["setLogo"] {
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

const DAY_MS = 24n * HOUR_MS;

function countSignIns({ database, clock }: AuthContext): ServiceImpl<typeof ClientService>["countSignIns"] {
  return async ({ saleUuids }, call) => {
    const actor = requireActor(call);
    const visible = await database.read((query) => visibleSales(query, actor, saleUuids));
    const nowMs = clock();
    const firstMs = dayOf(nowMs) - (SIGN_IN_COUNT_DAYS - 1n) * DAY_MS;
    const counts = await countByHour(database, SIGN_INS, visible, { nowMs, firstMs, sinceMs: firstMs });
    return { sales: visible.map((saleUuid) => ({ saleUuid, days: daysOf(counts.get(saleUuid)?.hours ?? []) })) };
  };
}

/** Adds up hours to days (UTC). */
function daysOf(hours: readonly HourCount[]) {
  const byDay = Map.groupBy(hours, ({ hourMs }) => dayOf(hourMs));
  return Array.from(byDay, ([dayMs, ofDay]) => ({
    day: timestampOf(dayMs),
    signIns: ofDay.reduce((sum, { count }) => sum + count, 0n),
  }));
}

function dayOf(ms: bigint): bigint {
  return ms - (ms % DAY_MS);
}
