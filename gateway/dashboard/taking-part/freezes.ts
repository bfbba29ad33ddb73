import { html } from "hono/html";
import { fill } from "../../../common/platform/language/message.ts";
import { countText } from "../../../common/sale/words/number-text.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Freeze } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { utcTime } from "../../web/pages/utc-time.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { dashboardPage, doneLine, founderForm } from "../base/dashboard-page.ts";
import { errorSummaryOf, type FormErrors, refusalErrors } from "../base/form-errors.ts";
import {
  contractErrorField,
  errorField,
  type FormTable,
  type FormValues,
  firstValues,
  formValues,
  pageText,
} from "../base/form-table.ts";
import { permitted, requireRecent, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { entityIdText, readEntityId } from "./entity-ids.ts";
import { changeLink, confirmationPanel, mayChangeNow, requireRecentForChange } from "./owner-steps.ts";
import { type TakingPartSale, takingPartCrumbs, takingPartSaleOf } from "./taking-part-sale.ts";

const FREEZE_FORM = "freeze entity";
const LIFT_FORM = "lift freeze";

/** The form that freezes an entity. */
const FREEZE_TABLE = {
  entity: {
    field: "entity",
    kind: "trimmed",
    get label() {
      return texts().freezes.entity;
    },
    get hint() {
      return texts().freezes.entityHint;
    },
  },
  note: {
    field: "note",
    kind: "trimmed",
    get label() {
      return texts().freezes.note;
    },
    get hint() {
      return texts().freezes.noteHint;
    },
    contract: ["note"],
  },
} as const satisfies FormTable;

interface FreezesView {
  readonly found: TakingPartSale;
  readonly freezes: readonly Freeze[];
  readonly entered?: FormValues<typeof FREEZE_TABLE>;
  readonly errors?: FormErrors;
  readonly done?: string | undefined;
}

/** `GET …/taking-part/freezes`. With `change` or `entity`, the entity to freeze, it requires a recent sign-in first. */
export async function showFreezes(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  requireRecentForChange(c, found);
  const id = readEntityId(c.req.query("entity") ?? "");
  const entity = id === undefined ? "" : entityIdText(id);
  if (entity !== "") requireRecent(found.founder, freezeLink(c.req.path, entity));
  const freezes = await freezesOf(found, dependencies);
  const done = doneText(c.req.query("done") ?? "");
  return showPage(c, freezesPage({ found, freezes, entered: { entity, note: "" }, done }));
}

/** Returns the address of the page on which an entity can be frozen. */
export function freezeLink(path: string, entity: string): string {
  return `${path}?${new URLSearchParams({ entity })}`;
}

/** `POST …/taking-part/freezes`: freezes an entity. */
export async function freezeEntity(c: AuthContext, dependencies: TakingPartDependencies) {
  const form = await founderForm(c, dependencies, FREEZE_FORM);
  const found = await ownersSale(c, dependencies, c.req.path);
  const entered = formValues(FREEZE_TABLE, form);
  const refuse = async (errors: FormErrors) =>
    showPage(c, freezesPage({ found, freezes: await freezesOf(found, dependencies), entered, errors }));
  const id = readEntityId(entered.entity);
  if (id === undefined) {
    return refuse([{ ...errorField(FREEZE_TABLE.entity), text: texts().freezes.entityError }]);
  }
  const request = { saleUuid: found.sale.uuid, saleSpecificEntityId: id, frozen: true, note: entered.note };
  const set = await resultOrRefusal(() =>
    dependencies.entitiesUpstream.eligibility.setFreeze(request, found.atEntities),
  );
  if ("refusal" in set) return refuse(refusalErrors(set.refusal, (name) => contractErrorField(FREEZE_TABLE, name)));
  return c.redirect(`${found.paths.freezes}?done=${set.done.unexpiredPermits}`, 303);
}

/** `POST …/taking-part/freezes/lift`: allows permits of an entity again. */
export async function liftFreeze(c: AuthContext, dependencies: TakingPartDependencies) {
  const form = await founderForm(c, dependencies, LIFT_FORM);
  const found = await ownersSale(c, dependencies, c.req.path.replace(/\/lift$/, ""));
  const saleSpecificEntityId = readEntityId(form.text("entity")) ?? new Uint8Array();
  const request = { saleUuid: found.sale.uuid, saleSpecificEntityId, frozen: false };
  const set = await resultOrRefusal(() =>
    dependencies.entitiesUpstream.eligibility.setFreeze(request, found.atEntities),
  );
  if (!("refusal" in set)) return c.redirect(`${found.paths.freezes}?done=lifted`, 303);
  const errors = refusalErrors(set.refusal, () => undefined);
  return showPage(c, freezesPage({ found, freezes: await freezesOf(found, dependencies), errors }));
}

async function ownersSale(c: AuthContext, dependencies: TakingPartDependencies, path: string): Promise<TakingPartSale> {
  const found = await takingPartSaleOf(c, dependencies, changeLink(path));
  await requireRoleFor(found, Role.OWNER, dependencies);
  requireRecent(found.founder, changeLink(path));
  return found;
}

async function freezesOf({ sale, atEntities }: TakingPartSale, { entitiesUpstream }: TakingPartDependencies) {
  return (await permitted(() => entitiesUpstream.eligibility.listFreezes({ saleUuid: sale.uuid }, atEntities))).freezes;
}

/** Returns the message about the change that was just made. @param done `lifted`, or the entity's unexpired permits */
function doneText(done: string): string | undefined {
  const { lifted, frozen, frozenWithPermits } = texts().freezes;
  if (done === "lifted") return lifted;
  if (!/^\d{1,19}$/.test(done)) return undefined;
  return done === "0" ? frozen : fill(frozenWithPermits, { permits: countText(BigInt(done), pageLanguage()) });
}

function freezesPage(view: FreezesView) {
  const { found, freezes, errors = [], done } = view;
  const { title, now, none } = texts().freezes;
  return dashboardPage({
    title,
    errors,
    crumbs: takingPartCrumbs(found),
    content: html`${doneLine(done)}${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<div class="panels two"><section class="panel" aria-labelledby="all"><h2 id="all">${now}</h2>
${freezes.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ul class="list">${freezes.map((freeze) => freezeItem(freeze, found))}</ul>`}</section>
<div class="column">${mayChangeNow(found) ? freezing(view) : confirmationPanel(found, found.paths.freezes)}</div></div>`,
  });
}

function freezeItem({ saleSpecificEntityId, note, since }: Freeze, found: TakingPartSale): Html {
  const entity = entityIdText(saleSpecificEntityId);
  const words = texts().freezes;
  return html`<li><div class="grow"><p><code>${entity}</code></p>${note !== "" && html`<p><bdi>${note}</bdi></p>`}
<p class="quiet">${fillHtml(words.since, { time: utcTime(since) })}</p></div>${
    mayChangeNow(found) &&
    html`<form class="inline-form" method="post" action="${found.paths.liftFreeze}">${hiddenFields(LIFT_FORM, found.founder.sessionToken, { entity })}
<button class="secondary small" aria-label="${fill(words.liftOf, { entity })}">${words.lift}</button></form>`
  }</li>`;
}

function freezing({ found, entered = firstValues(FREEZE_TABLE), errors = [] }: FreezesView): Html {
  const { freezeTitle, freezeText, freeze } = texts().freezes;
  return html`<section class="panel" aria-labelledby="freeze"><h2 id="freeze">${freezeTitle}</h2>
<p>${freezeText}</p>
<form method="post" action="${found.paths.freezes}" novalidate>${hiddenFields(FREEZE_FORM, found.founder.sessionToken)}
${textField({ ...pageText(FREEZE_TABLE.entity, entered.entity, errors), attributes: html`maxlength="40" autocomplete="off" autocapitalize="none" spellcheck="false"` })}
${textField({ ...pageText(FREEZE_TABLE.note, entered.note, errors), isOptional: true, attributes: html`maxlength="200" autocomplete="off"` })}
<div class="panel-foot"><button class="danger">${freeze}</button></div></form></section>`;
}
