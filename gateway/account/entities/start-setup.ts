import { SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import { applicationOfSender } from "../base/sending-application.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { pageOf } from "./entity-paths.ts";
import type { OwnEntity } from "./person.ts";
import { DEMO_STATES } from "./setup-form.ts";

type Checked = Pick<OwnEntity, "entity" | "person">;

/** Begins an entity's identity check, or goes on with it. @returns where the user goes on */
export async function beginSetup(
  { entitiesUpstream }: EntityDependencies,
  { entity, person }: Checked,
  form: PageForm,
  country: string,
): Promise<string> {
  const request = { entityUuid: entity.uuid, country, answer: form.text("answer") };
  const { startUrl } = await entitiesUpstream.entities.beginSetup(request, person.options);
  return startUrl === "" ? pageOf(entity.uuid, "begun") : startUrl;
}

/**
 * Gives an entity the result that a user of the demo has chosen.
 *
 * @returns where the user goes on: with an approval, for which nothing is left to do here, back at the application that they came from
 */
export async function chooseSetup(
  dependencies: EntityDependencies,
  { entity, person }: Checked,
  form: PageForm,
  country: string,
): Promise<string> {
  const state = DEMO_STATES.find((one) => String(one) === form.text("state")) ?? SetupState.IN_PROGRESS;
  // Asked before, so that no failure of auth hides a result that is stored.
  const application = state === SetupState.COMPLETE ? await applicationOfSender(dependencies, person) : undefined;
  const { entities } = dependencies.entitiesUpstream;
  await entities.chooseDemoSetup({ entityUuid: entity.uuid, state, country }, person.options);
  return application?.url ?? pageOf(entity.uuid, "");
}
