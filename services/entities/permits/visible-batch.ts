import type { Kysely } from "kysely";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { ApplicationGrant } from "../authority/application-access.ts";
import type { BaseDependencies } from "../base/dependencies.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { noEntity, type VisibleEntity } from "../eligibility/visible-entity.ts";
import { readEntities } from "../entities/entities-store.ts";
import { findSaleEntities } from "../entities/sale-entities-store.ts";
import { SaleBatchers } from "./sale-batchers.ts";

/** An entity that an application names. */
interface NamedEntity {
  readonly grant: Pick<ApplicationGrant, "accountUuid" | "clientUuid">;
  readonly publicUuid: string;
}

/** Finds entities by the IDs that applications know, as `requireVisibleEntity` does, those of one sale together. */
export class VisibleEntities {
  readonly #batchers: SaleBatchers<NamedEntity, VisibleEntity | undefined>;

  constructor({ database }: Pick<BaseDependencies, "database">) {
    const work = (saleUuid: string, named: readonly NamedEntity[]) =>
      database.read((query) => readVisible(query, saleUuid, named));
    this.#batchers = new SaleBatchers((saleUuid) => new Batcher((named) => work(saleUuid, named)));
  }

  /** @throws ServiceError `not_found` if the application sees no such entity */
  async require(grant: ApplicationGrant, publicUuid: string): Promise<VisibleEntity> {
    const found = await this.#batchers.run(grant.saleUuid, { grant, publicUuid });
    if (found !== undefined) return found;
    throw noEntity(publicUuid);
  }
}

async function readVisible(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  named: readonly NamedEntity[],
): Promise<readonly (VisibleEntity | undefined)[]> {
  const publicUuids = named.map(({ publicUuid }) => publicUuid);
  const saleEntities = await findSaleEntities(query, saleUuid, publicUuids);
  const uuids = [...saleEntities.values()].map(({ entityUuid }) => entityUuid);
  if (uuids.length === 0) return named.map(() => undefined);
  const [stored, hidden] = [await readEntities(query, uuids), await readHidden(query, uuids)];
  return named.map(({ grant: { accountUuid, clientUuid }, publicUuid }) => {
    const entity = saleEntities.get(publicUuid);
    const found = entity && stored.get(entity.entityUuid);
    if (found?.accountUuid !== accountUuid || hidden.has(`${found.uuid} ${clientUuid}`)) return undefined;
    return entity && { stored: found, entity };
  });
}

/** Returns which of the entities are hidden from which applications. */
async function readHidden(query: Kysely<EntitiesSchema>, entityUuids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await query
    .selectFrom("hidden_entity")
    .select(["entity", "client"])
    .where("entity", "in", entityUuids.map(bytesOfHex))
    .execute();
  return new Set(rows.map(({ entity, client }) => `${uuidFromBytes(entity)} ${uuidFromBytes(client)}`));
}
