import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { countedForm, fill } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import {
  type DisputedWallet,
  DisputedWalletState,
  type Entity,
  IdentityProvider,
  type LinkedWallet,
  SetupState,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { contactLine } from "../../web/pages/contact-line.ts";
import { errorSummary, hiddenFields, textField, titleWith } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import type { FormTargets } from "../../web/pages/page-headers.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";
import type { Texts } from "../../web/texts/en.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { backToApplication, type SendingApplication } from "../base/sending-application.ts";
import { type ApplicationView, applicationSection } from "./application-views.ts";
import { entityFacts } from "./entities-section.ts";
import { entityPaths } from "./entity-paths.ts";
import { setupReasonText, setupText } from "./entity-text.ts";
import { setupForm, setupTargets } from "./setup-form.ts";

export const ENTITY_FORM = "entity";

/** Returns the message about the change that was just made, as the page's address names it; undefined for other names. */
export function entityChangeText(done: string, { entity }: Texts): string | undefined {
  switch (done) {
    case "begun":
      return entity.begun;
    case "renamed":
      return entity.renamed;
    case "linked":
      return entity.walletLinked;
    case "unlinked":
      return entity.walletUnlinked;
    case "hidden":
      return entity.hidden;
    case "shown":
      return entity.shown;
    default:
      return undefined;
  }
}

export interface EntityView {
  readonly entity: Entity;
  readonly wallets: readonly LinkedWallet[];
  readonly disputedWallets: readonly DisputedWallet[];
  readonly provider: IdentityProvider;
  /** How long a review usually takes; undefined where that isn't known. */
  readonly usualWait?: Duration | undefined;
  readonly applications: readonly ApplicationView[];
  /** The application that the user came from. */
  readonly application: SendingApplication | undefined;
  /** How people reach those who run the application's sale; empty where that isn't known. */
  readonly contact: string;
  readonly sessionToken: string;
  /** Origin of the pages. */
  readonly authUrl: string;
  readonly error?: string | undefined;
  /** Entries of the form that was refused, by field. */
  readonly entered?: Readonly<Record<string, string>>;
  readonly done?: string | undefined;
}

/** Returns the page about an entity of the user. */
export function entityPage(view: EntityView, language: Language): Page {
  const { entity, error, done } = view;
  const texts = TEXTS[language];
  const paths = entityPaths(entity.uuid);
  return {
    title: titleWith(entity.label, error, texts),
    language,
    address: paths.entity,
    isWide: true,
    status: error === undefined ? 200 : 422,
    formTargets: view.provider === IdentityProvider.WEBHOOK ? vendorTargets(view.authUrl) : setupTargets(view),
    content: html`${errorSummary(error, undefined, texts)}${done && html`<p class="done-line" role="status">${done}</p>`}
<p><a href="${AUTH_PATHS.account}">${texts.account.title}</a></p>
<h1><bdi>${entity.label}</bdi></h1>
<p class="lead">${entityFacts(entity, language)}</p>
${backToApplication(view.application, texts, entity.setupState === SetupState.COMPLETE)}
${setup(view, language)}
${walletSection(view, language)}
${applicationSection(view.applications, paths.entity, (step, client) => entityFields(view.sessionToken, step, { client }), texts)}
${rename(view, texts)}
<section aria-labelledby="deletion"><h2 id="deletion">${texts.entity.deletion}</h2><div class="row"><p class="grow quiet">${texts.account.final}</p>
<a class="button danger small" href="${paths.remove}">${texts.account.delete}</a></div></section>`,
  };
}

/**
 * Returns the targets of the form after which the vendor's page comes. A vendor's page by HTTP is one of a developer's own
 * machine (`IDENTITY_START_URL`), where these pages come by HTTP, too.
 */
export function vendorTargets(authUrl: string): FormTargets {
  return authUrl.startsWith("https:") ? "https" : "loopback";
}

/** Returns the hidden fields of a form of the page. @param step what the form does */
function entityFields(sessionToken: string, step: string, fields: Readonly<Record<string, string>> = {}): Html {
  return hiddenFields(ENTITY_FORM, sessionToken, { do: step, ...fields });
}

function setup(view: EntityView, language: Language): Html {
  const { entity, provider, application, sessionToken, entered } = view;
  const texts = TEXTS[language];
  const { title, detail } = setupText(entity.setupState, texts);
  const { setupReason, openQuestion, approvalExpiresAt } = entity;
  const ends = approvalExpiresAt && fillHtml(texts.entity.approvalEnds, { time: utcTime(approvalExpiresAt, language) });
  return html`<section aria-labelledby="setup"><h2 id="setup">${fill(texts.entity.setup, { state: title })}</h2>
<p>${openQuestion === "" ? detail : texts.setup.questionDetail} ${ends} ${usualWaitText(view, language)}</p>
${setupReason !== "" && html`<p>${fillHtml(texts.entity.setupReason, { reason: setupReasonText(setupReason, texts) })}</p>`}
${openQuestion !== "" && html`<p>${fillHtml(texts.setup.question, { question: html`<strong><bdi lang="">${openQuestion}</bdi></strong>` })}</p>`}
${setupForm({ entity, provider, application, entered: entered ?? {}, fields: (step) => entityFields(sessionToken, step) }, language)}
${contactLine(view.contact, texts.sale.about.contact)}</section>`;
}

const WAITING: ReadonlySet<SetupState> = new Set([SetupState.READY_FOR_REVIEW, SetupState.IN_REVIEW]);

/** Says how long a review usually takes, to whom waits for one; nothing where that isn't known. */
function usualWaitText({ entity, usualWait }: EntityView, language: Language): string | undefined {
  if (usualWait === undefined || !WAITING.has(entity.setupState)) return undefined;
  const { setup } = TEXTS[language];
  return fill(setup.usualWait, { time: roundedTime(Number(usualWait.seconds), language) });
}

/** Units by their seconds, with the least that is written in each. */
const UNITS = [
  ["day", 86_400, 36 * 3_600],
  ["hour", 3_600, 90 * 60],
  ["minute", 60, 0],
] as const;

/** Writes a time span in its largest fitting unit, such as `3 hours`; at least a minute. */
export function roundedTime(seconds: number, language: Language): string {
  const [unit, length] = UNITS.find(([, , least]) => seconds >= least) ?? UNITS[2];
  const count = Math.max(1, Math.round(seconds / length));
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

function walletSection({ entity, wallets, disputedWallets, sessionToken }: EntityView, language: Language): Html {
  const { entity: texts } = TEXTS[language];
  const paths = entityPaths(entity.uuid);
  const item = (wallet: LinkedWallet) => {
    const { kind, address } = wallet;
    return html`<li class="row"><div class="grow"><p><code>${address}</code></p>${linkLines(wallet, language)}</div>
<form method="post" action="${paths.entity}">${entityFields(sessionToken, "unlink", { kind: String(kind), address })}<button class="secondary small" aria-label="${fill(texts.unlinkOf, { wallet: address })}">${texts.unlink}</button></form></li>`;
  };
  return html`<section aria-labelledby="wallets"><h2 id="wallets">${texts.wallets}</h2>
${wallets.length === 0 ? html`<p class="quiet">${texts.noWallets}</p>` : html`<ul class="rows">${wallets.map(item)}</ul>`}
${disputedWallets.length > 0 && disputes(disputedWallets, language)}
<p><a class="button secondary small" href="${paths.wallet}">${texts.link}</a></p></section>`;
}

/** Says of each wallet that another entity wants, too, whose it is and until when. */
function disputes(wallets: readonly DisputedWallet[], language: Language): Html {
  const { entity: texts } = TEXTS[language];
  const item = ({ address, saleName, saleUuid, state, until }: DisputedWallet) => {
    const sale = html`<bdi>${saleName || saleUuid}</bdi>`;
    const text = fillHtml(disputeText(state, texts), { sale, time: utcTime(until, language) });
    return html`<li class="row"><div class="grow"><p><code>${address}</code></p><p class="quiet">${text}</p></div></li>`;
  };
  return html`<h3>${texts.disputed}</h3><ul class="rows">${wallets.map(item)}</ul>`;
}

function disputeText(state: DisputedWalletState, texts: Texts["entity"]): string {
  switch (state) {
    case DisputedWalletState.HELD:
      return texts.disputeHeld;
    case DisputedWalletState.FREE:
      return texts.disputeFree;
    case DisputedWalletState.DISPLACED:
      return texts.disputeDisplaced;
    case DisputedWalletState.BID_OF_ANOTHER:
      return texts.disputeBid;
    case DisputedWalletState.PROVED_BY_ANOTHER:
      return texts.disputeProof;
    default:
      return texts.disputeUnknown;
  }
}

/** Says when a wallet was linked, and where that counts if not everywhere. */
function linkLines({ linkedAt, boundSaleUuids, countsEverywhere, chainIds }: LinkedWallet, language: Language): Html {
  const { entity: texts } = TEXTS[language];
  const chains = chainIds.join(", ");
  const scope =
    chainIds.length === 0
      ? texts.linkUnproved
      : fillHtml(countedForm(texts.linkedOnChains, chainIds.length, language), { chains });
  return html`<p class="quiet">${linkText(linkedAt, boundSaleUuids.length, language)}</p>${!countsEverywhere && html`<p class="quiet">${scope}</p>`}`;
}

function linkText(linkedAt: Timestamp | undefined, sales: number, language: Language): Html {
  const { entity: texts } = TEXTS[language];
  const time = utcTime(linkedAt, language);
  return sales === 0
    ? fillHtml(texts.linked, { time })
    : fillHtml(countedForm(texts.linkedAndBound, sales, language), {
        time,
        count: numberFormat(language).format(sales),
      });
}

function rename({ entity, sessionToken, entered }: EntityView, { entity: texts }: Texts): Html {
  return html`<section aria-labelledby="name"><h2 id="name">${texts.name}</h2><form method="post" action="${entityPaths(entity.uuid).entity}">
${entityFields(sessionToken, "rename", { version: entity.version.toString() })}
${textField({ id: "label", name: "label", label: texts.itsName, hint: html`${texts.nameHint}`, value: entered?.["label"] ?? entity.label, attributes: html`maxlength="100" autocomplete="off"` })}
<button class="secondary small">${texts.changeName}</button></form></section>`;
}
