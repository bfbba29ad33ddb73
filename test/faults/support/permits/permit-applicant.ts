import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  type Entity,
  EntityType,
  type SaleEntity,
  SetupState,
} from "../../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { Application } from "../../../../services/auth/testing/application.ts";
import type { EntitiesCaller } from "../entities-caller.ts";
import type { ChangingSale } from "./changing-sale.ts";
import type { PermitServices } from "./permit-services.ts";

const COUNTRY = "DE";

/** A person with an entity in a sale, and the access token of its application. */
export interface Applicant {
  readonly sessionToken: string;
  readonly accessToken: string;
  /** The UUID that the person knows. */
  readonly entityUuid: string;
  readonly saleEntity: SaleEntity;
}

/** Lets a new person sign in, create an entity, and let the application in. The entity's set-up hasn't begun. */
export async function newApplicant(services: PermitServices, { saleUuid, client }: ChangingSale): Promise<Applicant> {
  const { caller } = services;
  const sessionToken = await services.signIn();
  await createEntity(caller, sessionToken);
  const { uuid: entityUuid } = await readEntity(caller, sessionToken);
  const { accessToken } = await caller.auth(({ authorization }) =>
    new Application(authorization, client).tokens(sessionToken),
  );
  const request = { access: { accessToken }, saleUuid };
  const { entities } = await caller.persist(() =>
    caller.application((clients, options) => clients.entities.listAvailableEntities(request, options)),
  );
  const [saleEntity] = entities;
  if (saleEntity === undefined) throw new Error("the application sees no entity");
  return { sessionToken, accessToken, entityUuid, saleEntity };
}

/**
 * Completes the set-up of a person's entity, which the person begins, and an operator approves.
 *
 * @param lifetimeMs that of the approval; undefined: it doesn't end
 * @returns when the approval ends, in milliseconds since 1970; undefined if it doesn't
 */
export async function completeSetup(
  caller: EntitiesCaller,
  sessionToken: string,
  lifetimeMs: number | undefined,
): Promise<number | undefined> {
  for (;;) {
    const entity = await readEntity(caller, sessionToken);
    const { setupState, approvalExpiresAt } = entity;
    // One that has ended meanwhile counts as not started.
    if (setupState === SetupState.COMPLETE) return approvalExpiresAt && timestampMs(approvalExpiresAt);
    await advanceSetup(caller, sessionToken, entity, lifetimeMs).catch((error: unknown) => {
      // An attempt before has changed the entity meanwhile.
      if (![Code.FailedPrecondition, Code.Aborted].includes(ConnectError.from(error).code)) throw error;
    });
  }
}

async function advanceSetup(
  caller: EntitiesCaller,
  sessionToken: string,
  { uuid: entityUuid, version: expectedVersion, setupState }: Entity,
  lifetimeMs: number | undefined,
): Promise<void> {
  if (setupState === SetupState.NOT_STARTED) {
    const request = { entityUuid, country: COUNTRY };
    await caller.person(sessionToken, ({ entities }, options) => entities.beginSetup(request, options));
    return;
  }
  await caller.operator(({ entities }, options) => {
    const end = lifetimeMs === undefined ? {} : { expiresAt: timestampFromMs(Date.now() + lifetimeMs) };
    const value = { reference: entityUuid, country: COUNTRY, ...end };
    return entities.decideReview({ entityUuid, expectedVersion, decision: { case: "approval", value } }, options);
  });
}

async function createEntity(caller: EntitiesCaller, sessionToken: string): Promise<void> {
  const request = { type: EntityType.PERSON, label: "Me" };
  await caller.person(sessionToken, ({ entities }, options) =>
    entities.createEntity(request, options).catch((error: unknown) => {
      // The answer of an attempt before was lost.
      if (ConnectError.from(error).code !== Code.AlreadyExists) throw error;
    }),
  );
}

async function readEntity(caller: EntitiesCaller, sessionToken: string): Promise<Entity> {
  const { entities } = await caller.person(sessionToken, (clients, options) =>
    clients.entities.listEntities({}, options),
  );
  const [entity] = entities;
  if (entity === undefined) throw new Error("there is no entity");
  return entity;
}
