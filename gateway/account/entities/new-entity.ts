import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { EntityType, type IdentityProvider } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { readCountry } from "../../web/pages/country-entry.ts";
import { failureText } from "../../web/pages/failure.ts";
import { errorSummary, titleWith } from "../../web/pages/fields.ts";
import { type Page, showPage } from "../../web/pages/layout.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import { noteForm, redirectRefused, shownRefusal } from "../../web/sessions/refused-steps.ts";
import type { Refusal } from "../../web/sessions/sealed-refusal.ts";
import type { Texts } from "../../web/texts/en.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { applicationOfSender } from "../base/sending-application.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./entity-paths.ts";
import {
  NEW_ENTITY_FORM,
  type NewEntityForm,
  type NewEntityMistake,
  needsName,
  newEntityForm,
} from "./new-entity-form.ts";
import { type OwnEntity, orRefusal, type Person, personOf } from "./person.ts";
import { setupTargets } from "./setup-form.ts";
import { beginSetup, chooseSetup } from "./start-setup.ts";

/** `GET /account/entities/new` */
export async function showNewEntity(c: AuthContext, dependencies: EntityDependencies) {
  const person = await personOf(c, dependencies);
  const { sessionToken } = person;
  const [provider, application] = await Promise.all([
    providerFor(dependencies, person),
    applicationOfSender(dependencies, person),
  ]);
  const language = requestLanguage(c.env.incoming);
  const refusal = shownRefusal(c, dependencies, sessionToken);
  const failure = failureText(refusal, language);
  const error = refusal && failure === undefined ? mistakeOf(refusal, TEXTS[language]) : undefined;
  const entered = refusal?.values ?? {};
  return showPage(c, newEntityPage({ sessionToken, provider, application, entered, error, failure }, language));
}

function mistakeOf({ problem, values: { reason } }: Refusal, { newEntity, entity }: Texts): NewEntityMistake {
  if (problem === "country") return { field: "country", text: entity.countryError };
  return { field: "label", text: reason ?? newEntity.nameError };
}

function stepOf(secret: string) {
  return { secret, address: NEW_ENTITY_PATH };
}

/** `POST /account/entities/new` */
export async function createEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { form, sessionToken } = await sessionForm(c, dependencies, NEW_ENTITY_FORM, NEW_ENTITY_PATH, ENTERED);
  const person = await personOf(c, dependencies);
  const values = form.values(ENTERED);
  const refuse = (problem: string, reason?: string) =>
    redirectRefused(c, dependencies, stepOf(sessionToken), {
      problem,
      values: { ...values, ...(reason !== undefined && { reason }) },
    });
  const type = form.text("type") === "organization" ? EntityType.ORGANIZATION : EntityType.PERSON;
  const label = form.text("label").trim() || (await usualLabel(c, dependencies, person, type));
  if (label === "") return refuse("name");
  const country = enteredCountry(form);
  if (country === undefined) return refuse("country");
  const created = await orRefusal(() =>
    dependencies.entitiesUpstream.entities.createEntity({ type, label }, person.options),
  );
  if ("refusal" in created) return refuse("service", created.refusal);
  const { entity } = created.done;
  if (entity === undefined) throw new TypeError("CreateEntityResponse is incomplete");
  return startCheck(c, dependencies, { entity, person }, form, country);
}

const ENTERED = ["type", "label", "country", "state"];

async function providerFor({ entitiesUpstream }: EntityDependencies, { options }: Person): Promise<IdentityProvider> {
  return (await entitiesUpstream.entities.getSetupPolicy({}, options)).provider;
}

/**
 * Returns the name of a person who has entered none: a word that applications may know, unlike the e-mail address. Empty where a
 * name is needed.
 */
async function usualLabel(
  c: AuthContext,
  dependencies: EntityDependencies,
  person: Person,
  type: EntityType,
): Promise<string> {
  if (type !== EntityType.PERSON || needsName(await providerFor(dependencies, person))) return "";
  return TEXTS[requestLanguage(c.env.incoming)].newEntity.ownName;
}

/** Returns the code of the country; empty where none is needed, and undefined for an entry that is none. */
function enteredCountry(form: PageForm): string | undefined {
  const entered = form.text("country").trim();
  const isNeeded = form.has("country") && !form.has("state");
  return entered === "" && !isNeeded ? "" : readCountry(entered);
}

/** Begins the check of an entity that was just created. From here on its own page shows what is refused or fails. */
async function startCheck(
  c: AuthContext,
  dependencies: EntityDependencies,
  own: Pick<OwnEntity, "entity" | "person">,
  form: PageForm,
  country: string,
): Promise<Response> {
  const { entity: address } = entityPaths(own.entity.uuid);
  // A vendor's check begins at the entity's page, and a form of the version before has no field of a check.
  if (!form.has("country")) return c.redirect(address, 303);
  const step = { address, secret: own.person.sessionToken };
  const values = form.values(["country", "state"]);
  noteForm(c, { ...step, values });
  const start = form.has("state") ? chooseSetup : beginSetup;
  const started = await orRefusal(() => start(dependencies, own, form, country));
  if ("done" in started) return c.redirect(started.done, 303);
  return redirectRefused(c, dependencies, step, { problem: "service", values: { ...values, reason: started.refusal } });
}

/** Returns the page on which a user adds a person or an organization. */
function newEntityPage(view: NewEntityForm & { readonly failure: string | undefined }, language: Language): Page {
  const { error, failure } = view;
  const texts = TEXTS[language];
  const { title, text, cancel } = texts.newEntity;
  const problem = failure ?? error?.text;
  const leave = html`<a class="button secondary" href="${AUTH_PATHS.account}">${cancel}</a>`;
  return {
    title: titleWith(title, problem, texts),
    language,
    address: NEW_ENTITY_PATH,
    formTargets: setupTargets(view),
    status: problem === undefined ? 200 : 422,
    content: html`${errorSummary(problem, error?.field, texts)}
<h1>${title}</h1>
<p>${text}</p>
${newEntityForm(view, language, leave)}`,
  };
}
