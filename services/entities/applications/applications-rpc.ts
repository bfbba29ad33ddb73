import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { requireApplication } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { commitmentIdOf } from "../base/entity.ts";
import { readSaleFacts } from "../base/sale-facts.ts";
import { readVisibleEntities } from "../entities/hidden-entities-store.ts";
import { ensureSaleEntity, findSaleEntityOf } from "../entities/sale-entities-store.ts";
import { availableEntities, readAvailableEntity, saleEntityMessages } from "./available-entities.ts";

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

/** Returns the commitments of the visible entities to the token's own sale, once it is settled, the earliest first. */
function listInvestments(dependencies: EntitiesContext): ServiceImpl<typeof EntityService>["listInvestments"] {
  return async ({ access }) => {
    const grant = await requireApplication(dependencies, access, { scope: "read_entities" });
    const { name, status } = await readSaleFacts(dependencies, grant.saleUuid);
    if (status !== "settled") return { investments: [] };
    const ids = await saleSpecificIds(dependencies, grant);
    const records = await readRecords(dependencies, grant.saleUuid, ids);
    const times = records.map(({ createdAtSeconds }) => Number(createdAtSeconds)).toSorted((a, b) => a - b);
    return { investments: times.map((time) => ({ saleName: name, committedAt: timestampFromMs(time * 1_000) })) };
  };
}

/** The IDs that the visible entities have in the sale. One without an ID can't have committed. */
async function saleSpecificIds(
  { database }: EntitiesContext,
  {
    accountUuid,
    clientUuid,
    saleUuid,
  }: { readonly accountUuid: string; readonly clientUuid: string; readonly saleUuid: string },
): Promise<readonly Uint8Array[]> {
  return database.read(async (query) => {
    const ids: Uint8Array[] = [];
    for (const { uuid } of await readVisibleEntities(query, accountUuid, clientUuid)) {
      const saleEntity = await findSaleEntityOf(query, saleUuid, uuid);
      if (saleEntity !== undefined) ids.push(saleEntity.saleSpecificId);
    }
    return ids;
  });
}

async function readRecords(
  { commitments }: EntitiesContext,
  saleUuid: string,
  ids: readonly Uint8Array[],
): Promise<readonly CommitmentRecord[]> {
  if (ids.length === 0) return [];
  const commitmentIds = ids.map(commitmentIdOf);
  const { records } = await passingRefusals(commitments.getCommitmentRecords({ saleUuid, commitmentIds }));
  const own = new Set(ids.map(hexOfBytes));
  return records.filter(({ entityId, amounts }) => own.has(hexOfBytes(entityId)) && amounts.some(isMoney));
}

/** Whether an amount is more than zero. */
function isMoney({ amount }: { readonly amount: string }): boolean {
  return amount !== "0";
}
