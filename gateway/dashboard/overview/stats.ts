import { html } from "hono/html";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { Html } from "../../web/pages/layout.ts";
import { figureTexts } from "./figure-texts.ts";
import type { Known, SaleFacts, SignInFacts } from "./sale-facts.ts";

/** A number with its name, and a quiet line below it. */
interface Stat {
  readonly name: string;
  /** Undefined where it isn't known now. */
  readonly text: string | undefined;
  /** The exact number, where the text is rounded. */
  readonly exact?: string | undefined;
  readonly detail?: string | undefined;
}

/** Returns the figures of a sale with how they have changed; nothing for a sale without figures. */
export function figureStats({ sale, figures }: SaleFacts): Html {
  if (figures === null || sale.definition === undefined) return html``;
  if (figures === undefined) return stats([{ name: "Figures", text: undefined }]);
  const { figures: named, since } = figureTexts(sale.definition, figures);
  const shown = named.map(({ name, text, exact, change }) => ({ name, text, exact, detail: change }));
  return html`${stats(shown)}${since !== undefined && html`<p class="quiet since">Changes ${since}.</p>`}`;
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
  const name = "Applications";
  if (applications === undefined) return { name, text: undefined };
  const unfinished = applications.filter(({ obstacles }) => obstacles.length > 0);
  const [first, ...others] = unfinished;
  const which = applications.length === 1 ? "" : "one ";
  const one = first && `${which}${first.obstacles.join(", ")}`;
  const detail = others.length === 0 ? one : `${unfinished.length} lack something`;
  return { name, text: String(applications.length), detail };
}

function signInStat(signIns: Known<SignInFacts>): Stat {
  const name = "Sign-ins in 7 days";
  if (signIns === undefined) return { name, text: undefined };
  const { today, last7Days, last30Days } = signIns;
  const detail = last30Days === 0n ? undefined : `${grouped(today)} today, ${grouped(last30Days)} in 30 days`;
  return { name, text: grouped(last7Days), detail };
}

function permitStat({ permits }: Pick<SaleFacts, "permits">): Stat {
  const name = "Permits issued";
  if (permits === undefined) return { name, text: undefined };
  if (!permits.enabled && permits.permits === 0n) return { name, text: "0", detail: "taking part is off" };
  return { name, text: grouped(permits.permits), detail: `${grouped(permits.lastDay)} in 24 hours` };
}

function stats(shown: readonly Stat[]): Html {
  return html`<dl class="stats">${shown.map(
    ({
      name,
      text,
      exact,
      detail,
    }) => html`<div><dt>${name}</dt><dd class="stat"${exact !== undefined && html` title="${exact}"`}>${text ?? "—"}</dd>
${text === undefined ? html`<dd class="quiet">not known now</dd>` : detail !== undefined && html`<dd class="quiet">${detail}</dd>`}</div>`,
  )}</dl>`;
}

function grouped(count: bigint): string {
  return count.toLocaleString("en");
}
