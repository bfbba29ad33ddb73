import { html } from "hono/html";
import type { Html } from "../../web/pages/layout.ts";
import { awaitedText } from "../browser/countdown.js";
import { timeText } from "../browser/times.js";
import type { SaleView } from "../view/sale-view.ts";

/** Returns the stage of a sale, what one can do in it, and the time that readers wait for. */
export function stageSection({ stage }: SaleView): Html {
  return html`<section class="panel stage" aria-labelledby="stage">
<div class="stage-words"><h2 id="stage">${stage.title}</h2><p id="stage-text" class="quiet">${stage.text}</p></div>
${countdown(stage.awaited)}
</section>`;
}

/** Returns the awaited time. The script adds how long it is until then, and says the time in the reader's time zone. */
function countdown(awaited: SaleView["stage"]["awaited"]): Html {
  const { name, time } = awaited ?? { name: "closes", time: "" };
  return html`<div id="countdown" class="countdown"${awaited === undefined && html` hidden`}>
<p class="quiet"><span id="awaited">${awaitedText(name)}</span> <time id="until" data-shape="minute" datetime="${time}">${time && timeText(time, "minute")}</time></p>
<p id="left" class="left needs-script" role="timer"></p>
<p id="said" class="hidden" role="status"></p>
</div>`;
}
