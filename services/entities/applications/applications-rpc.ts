import type { ServiceImpl } from "@connectrpc/connect";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requireApplication } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readVisibleEntities } from "../entities/hidden-entities-store.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { availableEntities, saleEntityMessages } from "./available-entities.ts";
import { listInvestments } from "./list-investments.ts";
import { readAvailableEntity } from "./read-available-entity.ts";

/** The methods of `EntityService` for applications. */
export function applicationMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EntityService>,
  "getProfile" | "listAvailableEntities" | "readAvailableEntity" | "listInvestments"
> {
  const { database } = dependencies;
  return {
    readAvailableEntity: readAvailableEntity(dependencies),
    listInvestments: listInvestments(dependencies),

    async getProfile({ access }) {
      const grant = await requireApplication(dependencies, access, { scope: "read_entities" });
      const { accountUuid, clientUuid, saleUuid, email, scopes } = grant;
      const [earliest] = await database.read((query) => readVisibleEntities(query, accountUuid, clientUuid));
      const ids = earliest && (await ensureSaleEntity(dependencies, saleUuid, earliest, email));
      return { entityUuid: ids?.publicUuid ?? "", email: scopes.has("contact_email") ? email : "" };
    },

    async listAvailableEntities({ access, saleUuid }) {
      const needed = { scope: "read_entities", saleUuid } as const;
      const grant = await requireApplication(dependencies, access, needed);
      const available = await availableEntities(dependencies, grant);
      return { entities: await saleEntityMessages(dependencies, grant, available) };
    },
  };
}
