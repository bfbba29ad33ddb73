import { html } from "hono/html";
import type { Figure } from "../../../common/sale/words/figure.ts";
import { fillHtml } from "../../web/pages/fill-html.ts";
import type { Html } from "../../web/pages/layout.ts";
import { type Row, titleOf } from "../browser/row-texts.js";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/** Returns the latest commitments. */
export function listSection({ rows, perToken }: SaleView): Html {
  const { list, tile } = texts();
  return html`<section class="panel list">
<h2>${list.title}</h2>
<p id="none"${rows.length > 0 ? html` hidden` : ""}>${list.none}</p>
<table id="latest"${rows.length === 0 ? html` hidden` : ""}>
<caption class="hidden">${list.caption}</caption>
<thead><tr><th scope="col">${list.time}</th><th scope="col">${list.wallet}</th><th scope="col">${list.amount}</th><th scope="col">${fillHtml(tile.price, { per: html`<span data-per>${perToken}</span>` })}</th></tr></thead>
<tbody>${rows.map(rowHtml)}</tbody>
</table>
</section>`;
}

/**
 * Returns a row of the list, the same as `newRow` of the page's script. The end tags of rows and cells are left out, as HTML
 * allows, and cells are known by their place: a hundred rows are most of a page.
 */
function rowHtml({ time, moment, wallet, amount, price }: Row): Html {
  return html`<tr><td><time datetime="${time}">${moment}</time>${cell(wallet)}${cell(amount)}${cell(price)}
`;
}

function cell(figure: Figure): Html {
  const title = titleOf(figure);
  return html`<td${title !== "" && html` title="${title}"`}>${figure.text}`;
}
