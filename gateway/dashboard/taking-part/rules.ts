import { create } from "@bufbuild/protobuf";
import { html } from "hono/html";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { hasPermitHook } from "../../../common/sale/definition/contract-family.ts";
import { sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { ruleChanges } from "../../../common/sale/words/rules-lines.ts";
import type { SettingChange } from "../../../common/sale/words/setting-change.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { GetRulesResponse } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { ParticipationRulesSchema } from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { guardedFormOf } from "../../web/pages/form-guard.ts";
import { type Html, showPage } from "../../web/pages/layout.ts";
import { pageForm } from "../../web/pages/page-form.ts";
import { SignInRequired, signInUrl } from "../../web/sessions/session.ts";
import type { Texts } from "../../web/texts/en.ts";
import { dashboardPage } from "../base/dashboard-page.ts";
import { errorSummaryOf, type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { permitted, requireRecent, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import type { TakingPartDependencies } from "../base/taking-part-dependencies.ts";
import { texts } from "../base/texts.ts";
import { readRules } from "./read-rules.ts";
import { rulesForm } from "./rules-form.ts";
import {
  formValuesOfRules,
  type RulesFormValues,
  rulesFormValuesOf,
  withAnotherGroup,
  withoutGroup,
} from "./rules-form-values.ts";
import { rulesStyle } from "./rules-style.ts";
import { fieldOfRules } from "./rules-table.ts";
import { type TakingPartSale, takingPartCrumbs, takingPartSaleOf } from "./taking-part-sale.ts";

/** Largest form: the most groups, each with its longest entries. */
const MAX_FORM_BYTES = 256 * 1024;

interface RulesView {
  readonly found: TakingPartSale;
  readonly formValues: RulesFormValues;
  /** The rules as they are stored. */
  readonly stored: GetRulesResponse;
  /** Version of the rules that the form's values are based on. */
  readonly version: bigint;
  /** The browser's own token. */
  readonly secret: string;
  readonly errors?: FormErrors;
  readonly differences?: readonly SettingChange[];
  readonly isStale?: boolean;
  readonly focus?: string | undefined;
}

/** `GET …/taking-part/rules` */
export async function showRules(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  await requireRoleFor(found, Role.OWNER, dependencies);
  requireRecent(found.founder, c.req.path);
  const stored = await storedRules(found, dependencies);
  const formValues = formValuesOfRules(rulesOf(stored), found.units);
  const secret = dependencies.cookies.ensureBrowserToken(c);
  return showPage(c, rulesPage({ found, formValues, stored, version: stored.version, secret }));
}

/** `POST …/taking-part/rules`: adds or removes a group in the form, or saves the rules. */
export async function changeRules(c: AuthContext, dependencies: TakingPartDependencies) {
  const found = await takingPartSaleOf(c, dependencies);
  await requireRoleFor(found, Role.OWNER, dependencies);
  const secret = dependencies.cookies.browserToken(c) ?? "";
  const form = await guardedFormOf(c, dependencies, guardOf(found, secret), (context) =>
    pageForm(context, MAX_FORM_BYTES),
  );
  const stored = await storedRules(found, dependencies);
  const formValues = rulesFormValuesOf(form, rulesOf(stored));
  const version = BigInt(/^\d{1,19}$/.exec(form.text("version"))?.[0] ?? "0");
  const view: RulesView = { found, formValues, stored, version, secret };
  const step = form.text("do");
  if (step === "add-group") return showPage(c, rulesPage({ ...view, ...withAnotherGroup(formValues) }));
  const [, removed] = /^remove-(\d{1,2})$/.exec(step) ?? [];
  if (removed !== undefined) return showPage(c, rulesPage({ ...view, ...withoutGroup(formValues, Number(removed)) }));
  if (!found.founder.isRecent)
    return showPage(c, rulesPage({ ...view, isStale: true, errors: [{ text: texts().rules.stale }] }));
  return save(c, dependencies, view);
}

async function save(c: AuthContext, dependencies: TakingPartDependencies, view: RulesView) {
  const { found, formValues, version: expectedVersion } = view;
  const { rules, errors } = readRules(formValues, found.units);
  if (rules === undefined) return showPage(c, rulesPage({ ...view, errors }));
  const request = { saleUuid: found.sale.uuid, rules, expectedVersion };
  const updated = await resultOrRefusal(() =>
    dependencies.entitiesUpstream.eligibility.updateRules(request, found.atEntities),
  );
  if (!("refusal" in updated)) return c.redirect(`${found.paths.overview}?done=rules`, 303);
  if (updated.refusal.code !== "aborted") {
    return showPage(c, rulesPage({ ...view, errors: errorsOf(updated.refusal, formValues) }));
  }
  const stored = await storedRules(found, dependencies);
  const entered = create(ParticipationRulesSchema, rules);
  const differences = ruleChanges(rulesOf(stored), entered, found.units, rulesStyle());
  const errorsNow = [{ text: texts().rules.changedMeanwhile }];
  return showPage(c, rulesPage({ ...view, stored, version: stored.version, errors: errorsNow, differences }));
}

function storedRules({ sale, atEntities }: TakingPartSale, { entitiesUpstream }: TakingPartDependencies) {
  return permitted(() => entitiesUpstream.eligibility.getRules({ saleUuid: sale.uuid }, atEntities));
}

function rulesOf({ rules }: GetRulesResponse) {
  if (rules === undefined) throw new TypeError("GetRulesResponse is incomplete");
  return rules;
}

/**
 * Returns the check of the form. It is bound to browser and account and not to the session: who signs in again in another
 * tab, because the sign-in became too old over a long form, keeps the form's values.
 */
function guardOf({ founder, paths }: TakingPartSale, secret: string) {
  return {
    purpose: purposeOf(founder.account.uuid),
    secret,
    link: () => ({ href: paths.rules, text: ({ dashboard }: Texts) => dashboard.rules.backLink }),
  };
}

function purposeOf(accountUuid: string): string {
  return `participation rules\n${accountUuid}`;
}

function errorsOf(refusal: ServiceError, { groups }: RulesFormValues): FormErrors {
  return refusalErrors(refusal, (field) => fieldOfRules(field, groups)).map((error) => ({
    ...error,
    text: error.text.replaceAll(/\b(?:opens_at|min_amount|min_price_ticks)\b/g, (field) => WORDS[field] ?? field),
  }));
}

/** Words of the form for fields of the contract that its messages name. */
const WORDS: Readonly<Record<string, string>> = {
  opens_at: "the opening",
  min_amount: "the least amount",
  min_price_ticks: "the lowest price",
};

function rulesPage(view: RulesView) {
  const { found, formValues, stored, version, secret, errors = [], differences, isStale = false, focus } = view;
  const { founder, paths, units } = found;
  const { title } = texts().rules;
  return dashboardPage({
    title,
    errors,
    crumbs: takingPartCrumbs(found),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
${isStale && confirmation(paths.overview)}${differences && differenceTable(differences)}
${rulesForm({
  formValues,
  units,
  isHooked: isHooked(found),
  errors,
  purpose: purposeOf(founder.account.uuid),
  secret,
  action: paths.rules,
  version,
  unexpiredPermits: stored.unexpiredPermits,
  focus,
  cancel: paths.overview,
})}`,
  });
}

/** Whether the hook of a Continuous Clearing Auction checks the sale's permits. */
function isHooked({ sale: { definition } }: TakingPartSale): boolean {
  return definition !== undefined && hasPermitHook(sourceLocation(definition.source)?.contractFamily);
}

function confirmation(next: string): Html {
  return html`<p class="notice"><a href="${signInUrl(new SignInRequired(next, true))}" target="_blank">${texts().rules.confirmInTab}</a></p>`;
}

function differenceTable(differences: readonly SettingChange[]): Html {
  const words = texts().rules;
  if (differences.length === 0) return html`<p class="notice">${words.noDifference}</p>`;
  return html`<section class="panel" aria-labelledby="differences"><h2 id="differences">${words.differences}</h2>
<ul class="changes">${differences.map(
    ({ field, before, after }) =>
      html`<li><strong>${field}</strong><br>${fill(words.stored, { value: before || "–" })}<br>${fill(words.entered, { value: after || "–" })}</li>`,
  )}</ul></section>`;
}
