import { html } from "hono/html";
import { hasEnded } from "../../../common/sale/state/phase.ts";
import type { Timeline } from "../../../common/sale/state/timeline.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { awaitedText } from "../browser/countdown.js";
import { timeText } from "../browser/times.js";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";
import { leadingFigures, otherFigures } from "./figures.ts";
import { timelineSection } from "./timeline.ts";

/**
 * Returns the first screen of a sale: what is raised and at which price, what one can do, until when and where, and below that all
 * other figures.
 *
 * @param below what is said of all figures
 */
export function heroSection({ stage, facts, tiles, timeline }: SaleView, below: Html = html``): Html {
  return html`<section class="panel hero" aria-labelledby="stage">
${leadingFigures(tiles)}
<div class="stage">
<div class="stage-words"><h2 id="stage">${stage.title}</h2><p id="stage-text" class="quiet">${stage.text}</p></div>
${countdown(timeline.awaited)}
<div data-part="site">${siteLink(facts, hasEnded(stage.phase))}</div>
</div>
${timelineSection(timeline, facts.Contract !== undefined)}
${otherFigures(tiles)}
${below}
</section>`;
}

/** Returns the awaited time. The script adds how long it is until then, and says the time in the reader's time zone. */
function countdown(awaited: Timeline["awaited"]): Html {
  const { name, time } = awaited ?? { name: "closes", time: "" };
  return html`<div id="countdown" class="countdown"${awaited === undefined && html` hidden`}>
<p class="quiet"><span id="awaited">${awaitedText(name)}</span> <time id="until" data-shape="minute" datetime="${time}">${time && timeText(time, "minute")}</time></p>
<p id="left" class="left needs-script" role="timer"></p>
<p id="said" class="hidden" role="status"></p>
</div>`;
}

/** The script changes the link's text once bidding has ended. */
function siteLink({ Website = "" }: SaleView["facts"], isOver: boolean): Html | string {
  if (!Website.startsWith("https://")) return "";
  const { takePart, theirSite, siteAt } = texts().about;
  return html`<p class="site"><a id="site" class="button ${isOver ? "secondary" : "primary"}" data-open="${takePart}" data-over="${theirSite}" href="${Website}" rel="external nofollow noopener">${isOver ? theirSite : takePart}</a>
<span class="quiet">${fillHtml(siteAt, { host: html`<bdi>${new URL(Website).host}</bdi>` })}</span></p>`;
}
