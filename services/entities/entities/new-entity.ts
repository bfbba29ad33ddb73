import { randomUUID } from "node:crypto";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Entity, EntityTypeName } from "../base/entity.ts";

/**
 * The number of entities that an account may have: enough for somebody who acts for several companies, and few enough for
 * the lists that a consent page and an application show whole.
 */
export const MAX_ENTITIES = 20;

/** @param label parsed by `parseLabel` */
export function newEntity(
  accountUuid: string,
  { type, label }: { readonly type: EntityTypeName; readonly label: string },
  nowMs: bigint,
): Entity {
  return {
    uuid: randomUUID(),
    accountUuid,
    type,
    label,
    country: "",
    setupState: "not_started",
    setupReason: "",
    setupAtMs: 0n,
    version: 1n,
    createdAtMs: nowMs,
  };
}

/**
 * Checks that an account may have another entity.
 *
 * @param entities those that it has
 * @throws ServiceError `already_exists` for a second person, `failed_precondition` for too many
 */
export function checkRoomFor(type: EntityTypeName, entities: readonly Entity[]): void {
  if (type === "person" && entities.some((entity) => entity.type === "person")) throw personExists();
  if (entities.length < MAX_ENTITIES) return;
  throw new ServiceError("failed_precondition", `an account has at most ${MAX_ENTITIES} entities`);
}

export function personExists(): ServiceError {
  return new ServiceError("already_exists", "the account has its person entity already");
}
