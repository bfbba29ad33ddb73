import type { Language } from "../../../common/platform/language/language.ts";
import { chainFamilyOf, WALLET_KINDS } from "../../../common/sale/definition/wallet-kind.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { readCountry } from "../../web/pages/country-entry.ts";
import { failureText } from "../../web/pages/failure.ts";
import { showPage } from "../../web/pages/layout.ts";
import { type PageForm, unreadableForm } from "../../web/pages/page-form.ts";
import { sessionForm } from "../../web/pages/session-form.ts";
import { redirectRefused, shownRefusal } from "../../web/sessions/refused-steps.ts";
import { canKeep, type Refusal } from "../../web/sessions/sealed-refusal.ts";
import { requestLanguage } from "../../web/texts/request-language.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { sendingApplication } from "../base/sending-application.ts";
import { applicationViews, setHidden } from "./application-views.ts";
import type { EntityDependencies } from "./entity-dependencies.ts";
import { ENTITY_FORM, entityChangeText, entityPage } from "./entity-page.ts";
import { pageOf } from "./entity-paths.ts";
import { type OwnEntity, orRefusal, ownEntityOf } from "./person.ts";
import { beginSetup, chooseSetup } from "./start-setup.ts";

/** `GET /account/entities/{uuid}` */
export async function showEntity(c: AuthContext, dependencies: EntityDependencies) {
  const own = await ownEntityOf(c, dependencies);
  return showOwn(c, dependencies, own, shownRefusal(c, dependencies, own.person.sessionToken));
}

/** @param refusal of a form of the page */
async function showOwn(c: AuthContext, dependencies: EntityDependencies, own: OwnEntity, refusal: Refusal | undefined) {
  const { entity, wallets, disputedWallets, person } = own;
  const { sessionToken } = person;
  const language = requestLanguage(c.env.incoming);
  const [{ provider, usualWait }, { consents }] = await Promise.all([
    dependencies.entitiesUpstream.entities.getSetupPolicy({}, person.options),
    dependencies.clients.accounts.listConsents({ sessionToken }),
  ]);
  const application = sendingApplication(person.sender, consents);
  const [applications, contact] = await Promise.all([
    applicationViews(dependencies, own, consents),
    application === undefined ? "" : dependencies.contactOf(application.saleUuid),
  ]);
  const { authUrl } = dependencies.config;
  const shown = { entity, wallets, disputedWallets, provider, usualWait, applications, application, contact };
  const view = { ...shown, sessionToken, authUrl, ...messageOf(c, refusal, language) };
  return showPage(c, entityPage(view, language));
}

function messageOf(c: AuthContext, refusal: Refusal | undefined, language: Language) {
  const texts = TEXTS[language];
  if (refusal === undefined) return { done: entityChangeText(c.req.query("done") ?? "", texts) };
  const { values } = refusal;
  return { error: failureText(refusal, language) ?? values["reason"] ?? texts.entity.countryError, entered: values };
}

function stepOf({ entity, person }: OwnEntity) {
  return { secret: person.sessionToken, address: pageOf(entity.uuid, "") };
}

/** `POST /account/entities/{uuid}`: what the field `do` says. */
export async function changeEntity(c: AuthContext, dependencies: EntityDependencies) {
  const { form } = await sessionForm(c, dependencies, ENTITY_FORM, c.req.path, ENTERED);
  const own = await ownEntityOf(c, dependencies);
  const step = form.text("do");
  const change = Object.hasOwn(STEPS, step) ? STEPS[step] : undefined;
  if (change === undefined) throw unreadableForm(400, ({ entity }) => entity.unknownStep);
  const entered = enteredOf(form);
  // An answer may be longer than what a step keeps.
  const refuse = (refusal: Refusal) =>
    canKeep(refusal) ? redirectRefused(c, dependencies, stepOf(own), refusal) : showOwn(c, dependencies, own, refusal);
  const country = readCountry(entered["country"] ?? "") ?? "";
  if (country === "" && "country" in entered) {
    return refuse({ problem: "country", values: entered });
  }
  const result = await orRefusal(() => change(dependencies, own, form, country));
  if ("refusal" in result) {
    return refuse({ problem: "service", values: { ...entered, reason: result.refusal } });
  }
  return c.redirect(result.done, 303);
}

/** Fields that users fill in, of all forms of the page. */
const ENTERED = ["country", "label", "state", "answer"];

/** Returns what the user has entered in one of the page's forms, by field. */
function enteredOf(form: PageForm): Readonly<Record<string, string>> {
  const entries = ENTERED.map((name) => [name, form.text(name).trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

type Change = (dependencies: EntityDependencies, own: OwnEntity, form: PageForm, country: string) => Promise<string>;

/** The actions of the page's forms; each returns where to go on. */
const STEPS: Readonly<Record<string, Change>> = {
  begin: beginSetup,
  choose: chooseSetup,
  async rename({ entitiesUpstream }, { entity, person }, form) {
    const expectedVersion = BigInt(/^\d{1,19}$/.exec(form.text("version"))?.[0] ?? "0");
    const request = { entityUuid: entity.uuid, label: form.text("label").trim(), expectedVersion };
    await entitiesUpstream.entities.updateEntity(request, person.options);
    return pageOf(entity.uuid, "renamed");
  },
  async unlink({ entitiesUpstream }, { entity, person }, form) {
    const kind = WALLET_KINDS[chainFamilyOf(Number(form.text("kind")))];
    await entitiesUpstream.wallets.unlinkWallet(
      { entityUuid: entity.uuid, kind, address: form.text("address") },
      person.options,
    );
    return pageOf(entity.uuid, "unlinked");
  },
  async hide(dependencies, own, form) {
    await setHidden(dependencies, own, { clientUuid: form.text("client"), isHidden: true });
    return pageOf(own.entity.uuid, "hidden");
  },
  async show(dependencies, own, form) {
    await setHidden(dependencies, own, { clientUuid: form.text("client"), isHidden: false });
    return pageOf(own.entity.uuid, "shown");
  },
};
