import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import type { Consent } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { IssuedPermitSummary } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { contactLine } from "../../web/pages/contact-line.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import type { Texts } from "../../web/texts/en.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import { type AlertsView, alertsForm } from "../alerts/alerts-form.ts";
import { sendingApplication } from "../base/sending-application.ts";
import type { EntitiesView } from "./entities-section.ts";
import type { OwnBidState, OwnBids } from "./own-bids.ts";

type KnownApplication = Pick<
  Consent,
  "clientUuid" | "clientName" | "saleUuid" | "saleName" | "origins" | "grantedScopes"
>;

/** Everything that a user has in a sale. */
interface OwnSale {
  readonly saleUuid: string;
  readonly permits: readonly IssuedPermitSummary[];
  readonly bids: readonly OwnBids[];
}

/** Returns the sales in which a user has permits or bids, that of the latest permit first. */
export function ownSales({ permits, bids }: Pick<EntitiesView, "permits" | "bids">): readonly OwnSale[] {
  const uuids = new Set([...permits, ...bids].map(({ saleUuid }) => saleUuid));
  return [...uuids].map((saleUuid) => ({
    saleUuid,
    permits: permits.filter((permit) => permit.saleUuid === saleUuid),
    bids: bids.filter((bid) => bid.saleUuid === saleUuid),
  }));
}

export interface OwnSalesView extends EntitiesView, AlertsView {
  /** The contacts of the first sales, by UUID. */
  readonly contacts: ReadonlyMap<string, string>;
  readonly consents: readonly KnownApplication[];
  /** `PUBLIC_BASE_URL`, where the pages of sales are. */
  readonly publicBaseUrl: string;
}

/** Returns the account page's section about the user's permits and bids, a sale after the other; nothing without any. */
export function ownSalesSection(view: OwnSalesView, language: Language): Html | undefined {
  const sales = ownSales(view);
  if (sales.length === 0) return undefined;
  const { ownSales: texts } = TEXTS[language];
  const { bids, hasMoreWallets, permits, hasMorePermits } = view;
  return html`<section aria-labelledby="own-sales"><h2 id="own-sales">${texts.title}</h2>
<ul class="rows">${sales.map((sale) => saleItem(sale, view, language))}</ul>
${hasMoreWallets && html`<p class="quiet">${fillCounted(texts.moreWallets, bids.length, language, {})}</p>`}
${hasMorePermits && html`<p class="quiet">${fillCounted(texts.morePermits, permits.length, language, {})}</p>`}</section>`;
}

function saleItem({ saleUuid, permits, bids }: OwnSale, view: OwnSalesView, language: Language): Html {
  const { ownSales: texts } = TEXTS[language];
  const { consents, contacts, publicBaseUrl, entities } = view;
  const page = `${publicBaseUrl}/sales/${saleUuid}`;
  const name = consents.find((consent) => consent.saleUuid === saleUuid)?.saleName || saleUuid;
  const labels = new Map(entities.map(({ uuid, label }) => [uuid, label]));
  return html`<li class="row"><div class="grow"><p><strong><a href="${page}"><bdi>${name}</bdi></a></strong></p>
${applicationLine(saleUuid, consents, texts)}
${contactLine(contacts.get(saleUuid) ?? "", TEXTS[language].sale.about.contact)}
${bids.map((bid) => bidLines(bid, { page, label: labels.get(bid.entityUuid) ?? "" }, language))}
${bids.some(({ differs }) => differs) && html`<p class="quiet">${TEXTS[language].sale.lookUp.differs}</p>`}
${permits.map((permit) => permitLines(permit, labels.get(permit.entityUuid) ?? "", language))}
${alertsForm({ saleUuid, name, isOpen: bids.some((bid) => !bid.isSettled) }, view, language)}</div></li>`;
}

function applicationLine(
  saleUuid: string,
  consents: readonly KnownApplication[],
  texts: Texts["ownSales"],
): Html | undefined {
  const application = sendingApplication({ uuid: saleUuid, origin: "" }, consents);
  if (application === undefined) return undefined;
  const link = html`<a href="${application.url}"><bdi>${application.name}</bdi></a>`;
  return html`<p class="quiet">${fillHtml(texts.application, { application: link })}</p>`;
}

function bidLines(
  { wallet, states }: OwnBids,
  { page, label }: { readonly page: string; readonly label: string },
  language: Language,
): Html {
  const texts = TEXTS[language];
  const look = html`<a href="${page}#wallet=${wallet}" aria-label="${fill(texts.ownSales.lookUpOf, { wallet })}">${texts.ownSales.lookUp}</a>`;
  return html`<p>${texts.ownSales.bid} ${states.map((state) => html`<span class="tag">${bidStateText(state, texts)}</span> `)}</p>
<p class="quiet">${ofWallet(wallet, label, texts)} · ${look}</p>`;
}

/** Returns the state of bids in words, those of the sale's page where it has one. */
export function bidStateText(state: OwnBidState, { ownSales, sale: { bid } }: Texts): string {
  return state === "none" || state === "unknown" ? ownSales[state] : bid[STATE_TEXTS[state]];
}

/** Each state with the name of its text on the sale's page. */
const STATE_TEXTS = {
  in: "in",
  unrivalled: "in",
  at_margin: "margin",
  out: "out",
  below_floor: "belowFloor",
  counts: "counts",
  pending: "pending",
  accepted: "accepted",
  partly_accepted: "partly",
  not_accepted: "notAccepted",
  over: "over",
  refunded: "refunded",
  no_amount: "empty",
  not_counted: "uncounted",
} as const satisfies Record<Exclude<OwnBidState, "none" | "unknown">, string>;

function permitLines({ wallet, issuedAt, expiresAt }: IssuedPermitSummary, label: string, language: Language): Html {
  const texts = TEXTS[language];
  const times = { issued: utcTime(issuedAt, language), end: utcTime(expiresAt, language) };
  return html`<p>${texts.ownSales.permit}</p><p class="quiet">${ofWallet(wallet, label, texts)}</p>
<p class="quiet">${fillHtml(texts.entity.permitTimes, times)}</p>`;
}

function ofWallet(wallet: string, label: string, { ownSales }: Texts): Html {
  return fillHtml(ownSales.ofWallet, { entity: html`<bdi>${label}</bdi>`, wallet: html`<code>${wallet}</code>` });
}
