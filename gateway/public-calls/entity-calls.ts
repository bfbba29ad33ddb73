import { timestampDate } from "@bufbuild/protobuf/wkt";
import { utcTime } from "../../common/platform/encoding/utc-time.ts";
import type { Investment } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { JsonObject } from "../web/http/json-body.ts";
import { SALE_UUID_FIELD } from "../web/http/sale-uuid.ts";
import type { UserCall } from "./call.ts";
import { optionalField, uuidField, walletField } from "./call-body.ts";
import { entityBody } from "./entity-body.ts";

/** `Round` of an investment: everything that is sold here is sold in a token sale. */
const ROUND = "Token sale";

/** `my-profile`: the user's earliest entity, and the e-mail address where the user grants it. */
export async function myProfile({ access, clients }: UserCall): Promise<JsonObject> {
  const { entityUuid, email } = await clients.entities.getProfile({ access });
  return { EntityID: entityUuid, ...(email !== "" && { EmailAddress: email }) };
}

/** `list-available-entities`: the user's entities that the application sees. */
export async function listAvailableEntities({ access, body, clients }: UserCall): Promise<JsonObject> {
  const saleUuid = uuidField(body, SALE_UUID_FIELD);
  const { entities } = await clients.entities.listAvailableEntities({ access, saleUuid });
  return { Entities: entities.map(entityBody) };
}

/** `read-entity`: one of them, by its ID, by a wallet, or the only one. */
export async function readEntity({ access, body, clients }: UserCall): Promise<JsonObject> {
  const saleUuid = uuidField(body, SALE_UUID_FIELD);
  const entityUuid = optionalField(body, "EntityID", uuidField);
  const wallet = optionalField(body, "WalletAddress", walletField);
  const { entity } = await clients.entities.readAvailableEntity({ access, saleUuid, entityUuid, wallet });
  if (entity === undefined) throw new TypeError("ReadAvailableEntityResponse.entity is missing");
  return { Entity: entityBody(entity) };
}

/** `investment-history`: what the user has committed to the token's sale, once it is settled. */
export async function investmentHistory({ access, clients }: UserCall): Promise<JsonObject> {
  const { investments } = await clients.entities.listInvestments({ access });
  return { Investments: investments.map(investmentBody) };
}

function investmentBody({ saleName, committedAt }: Investment): JsonObject {
  if (committedAt === undefined) throw new TypeError("Investment.committed_at is missing");
  return { CompanyName: saleName, Round: ROUND, InvestedOn: utcTime(timestampDate(committedAt)) };
}
