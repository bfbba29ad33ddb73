import { html } from "hono/html";
import type { PaymentToken, SaleContract } from "../../../client/sale.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { Html } from "../../web/pages/layout.ts";
import { texts } from "../browser/words.js";
import type { SaleView } from "../view/sale-view.ts";

/** Characters of an address that stay visible at its end. */
const SHOWN_END = 6;

/** Returns what is sold, for what and where, with the contract that anybody can check the figures against. */
export function sourceSection({ facts }: SaleView): Html {
  const { Contract, Signer, PaymentTokens } = facts;
  const { source } = texts();
  return html`<section class="panel" data-part="source">
<h2>${source.title}</h2>
<dl class="facts">
${Contract === undefined ? line(source.contract, html`${source.noContract}`) : contractLines(Contract)}
${PaymentTokens.length > 0 && line(source.paidIn, html`<ul>${PaymentTokens.map(tokenItem)}</ul>`)}
${Signer !== undefined && line(source.signer, addressHtml(Signer))}
</dl>
</section>`;
}

function line(label: string, content: Html): Html {
  return html`<dt>${label}</dt><dd>${content}</dd>
`;
}

function contractLines({ Chain, ChainID, Address, ExplorerURL }: SaleContract): Html {
  const { source, tile } = texts();
  const address = addressHtml(Address);
  const linked =
    ExplorerURL === undefined ? address : html`<a href="${ExplorerURL}" rel="external noopener">${address}</a>`;
  const copy = html`<data id="contract" value="${Address}" hidden></data><button type="button" class="link copy needs-script" data-copies="contract">${tile.copy}<span class="hidden">: ${source.copied}</span></button>`;
  const chain = html`${Chain}${ChainID !== undefined && html` <span class="quiet">${fill(source.chainId, { id: String(ChainID) })}</span>`}`;
  return html`${line(source.contract, html`<span class="with-copy">${linked}${copy}</span>`)}${line(source.chain, chain)}`;
}

function tokenItem({ Symbol: symbol, TokenAddress }: PaymentToken): Html {
  return html`<li>${symbol !== undefined && html`<bdi>${symbol}</bdi> `}${addressHtml(TokenAddress)}</li>`;
}

/** Returns an address that is cut in its middle for the eye, and is whole for screen readers and when it is selected. */
function addressHtml(address: string): Html {
  return html`<code class="address"><span>${address.slice(0, -SHOWN_END)}</span><span>${address.slice(-SHOWN_END)}</span></code>`;
}
