import { html } from "hono/html";
import { DEFAULT_BATCH } from "../../../common/contracts/reference/plan-files.ts";
import { fill } from "../../../common/platform/language/message.ts";
import { sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { settleableSale } from "../../../common/sale/settlement/settleable-sale.ts";
import type { SettlementObstacle } from "../../../common/sale/settlement/settlement-obstacles.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { hiddenFields, textField } from "../../web/pages/fields.ts";
import type { Html, Page } from "../../web/pages/layout.ts";
import { copyableBlock, dashboardPage } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { englishText, errorOf, errorSummaryOf, type FormErrors, sentence } from "../base/form-errors.ts";
import type { FounderSale } from "../base/founder-sale.ts";
import { saidTexts } from "../base/said-text.ts";
import { saleCrumbs } from "../base/sale-crumbs.ts";
import { texts } from "../base/texts.ts";
import { sourceReport } from "../definition/source-report.ts";
import type { NoPlan } from "./make-plan.ts";
import { FIELDS, PLAN, PLAN_FORM } from "./plan-entry.ts";

/** An entry that made no plan. */
export interface RefusedPlan {
  readonly errors?: FormErrors;
  readonly batch?: string;
  readonly noPlan?: NoPlan;
}

/** Returns the page that says whether a plan can be made, by which rule, and asks for it. */
export function settlementPage(found: FounderSale, refused: RefusedPlan = {}): Page {
  const { sale } = found;
  const { errors = [], noPlan } = refused;
  const { title, lead } = texts().settlementPlan;
  const settleable = settleableSale(sale);
  const obstacles = "obstacles" in settleable ? settleable.obstacles : [];
  return dashboardPage({
    title,
    errors,
    crumbs: saleCrumbs(sale),
    content: html`${errorSummaryOf(errors)}<div class="page-head"><h1>${title}</h1></div>
<p class="quiet">${lead}</p>
${noPlan !== undefined && noPlanNotice(noPlan)}
<div class="panels two"><div class="column">${statePanel(sale, obstacles)}
${obstacles.length === 0 && formPanel(found, refused)}</div>
${!obstacles.some(isForGood) && html`<div class="column">${rulePanel(sale)}${commandPanel(sale)}</div>`}</div>`,
  });
}

/** Whether no plan is ever made of the sale. */
function isForGood(obstacle: SettlementObstacle): boolean {
  return obstacle === "settles_itself" || obstacle === "sells_over_time";
}

function noPlanNotice(noPlan: NoPlan): Html {
  return html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>${texts().settlementPlan.noPlan}</h2><p>${noPlanText(noPlan)}</p></div>`;
}

function noPlanText(noPlan: NoPlan): Html | string {
  const words = texts().settlementPlan;
  switch (noPlan.reason) {
    case "obstacles":
      return html`${noPlan.obstacles.map((obstacle) => html`${obstacleText(obstacle, noPlan.sale)} `)}`;
    case "not final":
      return html`${words.notFinal} ${englishText(sentence(noPlan.problem))}`;
    case "too large":
      return words.large;
    case "changes":
      return words.changes;
    case "nobody says":
      return words.nobodySays;
    case "too many checks":
      return words.tooManyChecks;
    case "other figures":
      return words.otherFigures;
  }
}

function statePanel(sale: Sale, obstacles: readonly SettlementObstacle[]): Html {
  const { stateTitle, ready, readyWithoutContract, notYet } = texts().settlementPlan;
  const isRead = sale.definition !== undefined && sourceLocation(sale.definition.source) !== undefined;
  const isReady = obstacles.length === 0;
  return html`<section class="panel" aria-labelledby="state"><h2 id="state">${stateTitle}</h2>
${
  isReady
    ? html`<p class="state-good">${isRead ? ready : readyWithoutContract}</p>`
    : html`${!obstacles.some(isForGood) && html`<p class="state-bad">${notYet}</p>`}<ul>${obstacles.map((obstacle) => html`<li>${obstacleText(obstacle, sale)}</li>`)}</ul>`
}</section>`;
}

function obstacleText(obstacle: SettlementObstacle, sale: Sale): Html | string {
  return OBSTACLES[obstacle](texts().settlementObstacle, sale);
}

type ObstacleWords = ReturnType<typeof texts>["settlementObstacle"];
type ObstacleText = (words: ObstacleWords, sale: Sale) => Html | string;

const OBSTACLES: Readonly<Record<SettlementObstacle, ObstacleText>> = {
  settles_itself: (words) => words.settles_itself,
  sells_over_time: (words) => words.sells_over_time,
  not_public: (words) => words.not_public,
  no_snapshot: (words) => words.no_snapshot,
  change_set_open: (words) => words.change_set_open,
  stage_unknown: (words) => words.stage_unknown,
  bidding_or_cancelling: (words, { stage }) =>
    fill(words.bidding_or_cancelling, { stage: texts().stage[stageOf(stage) ?? "unknown"] }),
  still_open: (words) => words.still_open,
  source_unread: (words) => words.source_unread,
  source_fault: (words, sale) => html`${words.source_fault} ${saidTexts(sourceReport(sale).text)}`,
  feed_stands_still: (words, sale) => html`${words.feed_stands_still} ${saidTexts(sourceReport(sale).text)}`,
  sweep_runs: (words) => words.sweep_runs,
  sweep_waits: (words) => words.sweep_waits,
};

function formPanel({ sale, founder }: FounderSale, { errors = [], batch = `${DEFAULT_BATCH}` }: RefusedPlan): Html {
  const words = texts().settlementPlan;
  return html`<section class="panel" aria-labelledby="make"><h2 id="make">${words.formTitle}</h2>
<form method="post" action="${salePaths(sale.uuid).settlement}" enctype="multipart/form-data" novalidate>${hiddenFields(PLAN_FORM, founder.sessionToken)}
${listField(FIELDS.refusals, words.refusals, words.refusalsHint, errors)}
${listField(FIELDS.limits, words.limits, words.limitsHint, errors)}
${textField({
  ...{ id: FIELDS.batch, name: FIELDS.batch, label: words.batch, hint: html`${words.batchHint}`, value: batch },
  error: errorOf(errors, FIELDS.batch),
  attributes: html`inputmode="numeric" autocomplete="off" size="5"`,
})}
<div class="panel-foot"><button class="primary fit" name="${FIELDS.wanted}" value="${PLAN}">${words.make}</button></div></form></section>`;
}

function listField(id: string, label: string, hint: string, errors: FormErrors): Html {
  const error = errorOf(errors, id);
  return html`<div class="field"><label for="${id}">${label}</label><p class="hint" id="${id}-hint">${hint}</p>
${error && html`<p class="field-error" id="${id}-error">${error}</p>`}
<input type="file" id="${id}" name="${id}" accept=".csv,.txt,text/csv,text/plain" aria-describedby="${id}-hint${error === undefined ? "" : ` ${id}-error`}"${error && html` aria-invalid="true"`}></div>`;
}

function rulePanel({ definition }: Sale): Html {
  const words = texts().settlementPlan;
  const { pricing } = definition ?? {};
  const rules =
    pricing?.case === "auction"
      ? [words.auctionRule, words.auctionSides]
      : [pricing?.case === "fixed" && pricing.value.offeredAmount !== "" ? words.fixedRule : words.unboundedRule];
  return html`<section class="panel" aria-labelledby="rule"><h2 id="rule">${words.ruleTitle}</h2>
${[...rules, words.wholeRule].map((text) => html`<p>${text}</p>`)}</section>`;
}

/** Returns the panel with the command that makes the same plan. @param options those for its lists and calls */
export function commandPanel({ uuid, definition }: Sale, options: readonly string[] = []): Html {
  const { commandTitle, commandText, commandLine } = texts().settlementPlan;
  const isRead = definition !== undefined && sourceLocation(definition.source) !== undefined;
  const command = [
    `npm run tidemark --silent -- settle plan ${uuid}`,
    ...(isRead ? ["--rpc https://a-node-of-the-chain.example"] : []),
    ...options,
    "--output settlement",
  ].join(" \\\n  ");
  return html`<section class="panel" aria-labelledby="command"><h2 id="command">${commandTitle}</h2>
<p>${commandText}</p>${copyableBlock(commandLine, command)}</section>`;
}
