import { html } from "hono/html";
import { fill, fillCounted } from "../../../common/platform/language/message.ts";
import { numberFormat } from "../../../common/platform/language/per-language.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import { obstaclesText } from "../base/obstacles-text.ts";
import { texts } from "../base/texts.ts";
import { figureTexts } from "./figure-texts.ts";
import type { ApplicationFacts, Known, SaleFacts, SignInFacts } from "./sale-facts.ts";

/** A number with its name, and a quiet line below it. */
interface Stat {
  readonly name: string;
  /** Undefined where it isn't known now. */
  readonly text: string | undefined;
  /** The exact number, where the text is rounded. */
  readonly exact?: string | undefined;
  readonly detail?: Html | string | undefined;
}

/** Returns the figures of a sale with how they have changed; nothing for a sale without figures. */
export function figureStats({ sale, figures }: SaleFacts): Html {
  if (figures === null || sale.definition === undefined) return html``;
  if (figures === undefined) return stats([{ name: texts().saleOverview.figures, text: undefined }]);
  const { figures: named, since } = figureTexts(sale.definition, figures);
  const shown = named.map(({ name, text, exact, change }) => ({ name, text, exact, detail: change }));
  return html`${stats(shown)}${since !== undefined && html`<p class="quiet since">${since}</p>`}`;
}

/** Returns the numbers about the users of a sale: applications, and of a sale that was opened sign-ins and permits. */
export function useStats(facts: SaleFacts): Html {
  if (facts.sale.status === SaleStatus.DRAFT) return stats([applicationStat(facts)]);
  const permits = facts.hasTakingPart ? [permitStat(facts)] : [];
  return stats([applicationStat(facts), signInStat(facts.signIns), ...permits]);
}

/** Returns the sign-ins of a sale's users. */
export function signInStats({ signIns }: Pick<SaleFacts, "signIns">): Html {
  return stats([signInStat(signIns)]);
}

/** Returns the permits of a sale. */
export function permitStats(facts: Pick<SaleFacts, "permits">): Html {
  return stats([permitStat(facts)]);
}

function applicationStat({ applications }: Pick<SaleFacts, "applications">): Stat {
  const { applications: name } = texts().menu;
  if (applications === undefined) return { name, text: undefined };
  return { name, text: String(applications.length), detail: lackText(applications) };
}

/** Returns what the applications lack that can't sign users in; undefined where all can. */
function lackText(applications: readonly ApplicationFacts[]): Html | string | undefined {
  const { oneLacks, someLack } = texts().stats;
  const unfinished = applications.filter(({ obstacles }) => obstacles.length > 0);
  const [first, ...others] = unfinished;
  if (others.length > 0) return fillCounted(someLack, unfinished.length, pageLanguage(), {});
  const reasons = first && obstaclesText(first.obstacles);
  return reasons && applications.length > 1 ? fillHtml(oneLacks, { reasons }) : reasons;
}

function signInStat(signIns: Known<SignInFacts>): Stat {
  const { signIns: name, signInsOf } = texts().stats;
  if (signIns === undefined) return { name, text: undefined };
  const { today, last7Days, last30Days } = signIns;
  const numbers = { today: grouped(today), month: grouped(last30Days) };
  return { name, text: grouped(last7Days), detail: last30Days === 0n ? undefined : fill(signInsOf, numbers) };
}

function permitStat({ permits }: Pick<SaleFacts, "permits">): Stat {
  const { permits: name, permitsOff, permitsOfDay } = texts().stats;
  if (permits === undefined) return { name, text: undefined };
  if (!permits.enabled && permits.permits === 0n) return { name, text: "0", detail: permitsOff };
  return { name, text: grouped(permits.permits), detail: fill(permitsOfDay, { count: grouped(permits.lastDay) }) };
}

function stats(shown: readonly Stat[]): Html {
  const { unknown } = texts().stats;
  return html`<dl class="stats">${shown.map(
    ({
      name,
      text,
      exact,
      detail,
    }) => html`<div><dt>${name}</dt><dd class="stat"${exact !== undefined && html` title="${exact}"`}>${text ?? "—"}</dd>
${text === undefined ? html`<dd class="quiet">${unknown}</dd>` : detail !== undefined && html`<dd class="quiet">${detail}</dd>`}</div>`,
  )}</dl>`;
}

function grouped(count: bigint): string {
  return numberFormat(pageLanguage()).format(count);
}
