import { html } from "hono/html";
import type { Language } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { countryName } from "../../../common/platform/names/country-name.ts";
import type { SaleAlerts } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import type {
  Entity,
  IdentityProvider,
  IssuedPermitSummary,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { entityTypeText } from "../../web/pages/entity-type-text.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import type { Texts } from "../../web/texts/en.ts";
import { TEXTS } from "../../web/texts/texts.ts";
import type { SendingApplication } from "../base/sending-application.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./entity-paths.ts";
import { setupReasonText, setupText } from "./entity-text.ts";
import { newEntityForm } from "./new-entity-form.ts";
import type { OwnBids } from "./own-bids.ts";

/** The content of the account page about entities. */
export interface EntitiesView {
  readonly entities: readonly Entity[];
  /** Who checks identities. */
  readonly provider: IdentityProvider;
  /** Permits of the last 30 days, the newest first. */
  readonly permits: readonly IssuedPermitSummary[];
  /** Whether there are more of them. */
  readonly hasMorePermits: boolean;
  /** The bids of wallets that permits have bound, the latest bound first. */
  readonly bids: readonly OwnBids[];
  /** Whether there are more such wallets. */
  readonly hasMoreWallets: boolean;
  /** The contacts of the first sales in which there are permits or bids, by UUID. */
  readonly contacts: ReadonlyMap<string, string>;
  /** The sales about which the person is mailed; undefined where the entities service is of a version without such mails. */
  readonly alerts: readonly SaleAlerts[] | undefined;
}

/** Whether a user is to add somebody before anything else: an application has sent them, and there is nobody yet. */
export function isAddingNext({ entities, application }: Pick<EntitySectionView, "entities" | "application">): boolean {
  return entities.length === 0 && application !== undefined;
}

export interface EntitySectionView extends Pick<EntitiesView, "entities" | "provider"> {
  readonly sessionToken: string;
  /** The application that has sent the user, who needs an entity there. */
  readonly application: SendingApplication | undefined;
}

/** Returns the account page's section about entities, which has the form of the first one. */
export function entitySection(view: EntitySectionView, language: Language): Html {
  const { entities } = view;
  const { entity: texts } = TEXTS[language];
  const content =
    entities.length === 0
      ? html`<p class="quiet">${texts.none}</p>
<details${isAddingNext(view) && " open"}><summary>${texts.add}</summary>${newEntityForm(view, language)}</details>`
      : html`<ul class="rows">${entities.map((entity) => entityItem(entity, language))}</ul>
<p><a class="button secondary small" href="${NEW_ENTITY_PATH}">${texts.add}</a></p>`;
  return html`<section class="entities" aria-labelledby="entities"><h2 id="entities">${texts.title}</h2>
${content}</section>`;
}

/** Returns what the account page says while the entities service is away. */
export function entitiesAway({ entity: texts }: Texts): Html {
  return html`<section aria-labelledby="entities"><h2 id="entities">${texts.title}</h2>
<p class="quiet" role="status">${texts.away}</p></section>`;
}

function entityItem(entity: Entity, language: Language): Html {
  const { uuid, label, setupState, setupReason, openQuestion, approvalExpiresAt } = entity;
  const texts = TEXTS[language];
  const { title, detail } = setupText(setupState, texts);
  const until = approvalExpiresAt && fillHtml(texts.entity.until, { time: utcTime(approvalExpiresAt, language) });
  return html`<li class="row"><div class="grow"><p><strong><bdi>${label}</bdi></strong> <span class="tag">${title}</span></p>
<p class="quiet">${entityFacts(entity, language)}</p>
${setupReason !== "" && html`<p class="quiet">${setupReasonText(setupReason, texts)}</p>`}
<p class="quiet">${openQuestion === "" ? detail : texts.setup.questionDetail} ${until}</p></div>
<a class="button secondary small" href="${entityPaths(uuid).entity}" aria-label="${fill(texts.entity.openOf, { entity: label })}">${texts.entity.open}</a></li>`;
}

/** Returns the kind and the country of an entity. */
export function entityFacts({ type, country }: Entity, language: Language): string {
  const kind = entityTypeText(type, TEXTS[language]);
  return country === "" ? kind : `${kind} · ${countryName(country, language)}`;
}
