import { html } from "hono/html";
import type { Step, Timeline } from "../../../common/sale/state/timeline.ts";
import type { Html } from "../../web/pages/layout.ts";
import { timeText } from "../browser/times.js";
import { texts } from "../browser/words.js";

/** Steps from which on they are a line: the countdown says a single one. */
const LEAST_STEPS = 2;

/** Returns the steps of a sale with the times that its founder has entered. The script marks which are reached. */
export function timelineSection({ steps, awaited }: Timeline, hasContract: boolean): Html {
  const { title, byFounder, byFounderAlone } = texts().timeline;
  const isShown = steps.length >= LEAST_STEPS;
  return html`<div class="timeline" data-part="timeline"${!isShown && html` hidden`}>${
    isShown &&
    html`<ol aria-label="${title}">${steps.map((step) => stepHtml(step, step.name === awaited?.name))}</ol>
<p class="quiet">${hasContract ? byFounder : byFounderAlone}</p>`
  }</div>`;
}

function stepHtml({ name, time, isReached }: Step, isAwaited: boolean): Html {
  return html`<li data-step="${name}"${isReached && html` data-reached`}${isAwaited && html` aria-current="step"`}><span>${texts().timeline[name]}</span> <time datetime="${time}" data-shape="minute">${timeText(time, "minute")}</time></li>
`;
}
