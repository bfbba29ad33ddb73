import { html } from "hono/html";
import type { PaymentToken, SaleContract } from "../../../client/sale.ts";
import type { Html } from "../../web/pages/layout.ts";
import { minuteText } from "../minute-text.ts";
import type { SaleView } from "../sale-view.ts";

/** Characters of an address that stay visible at its end. */
const SHOWN_END = 6;
const NO_CONTRACT = "None: the organisers’ own service sends the commitments.";

/** Returns what is sold, for what and where, with the contract that anybody can check the figures against. */
export function sourceSection({ facts }: SaleView): Html {
  const { Contract, Signer, PaymentTokens, OpensAt, ClosesAt } = facts;
  return html`<section class="panel" data-part="source">
<h2>Contract and tokens</h2>
<dl class="facts">
${Contract === undefined ? line("Contract", html`${NO_CONTRACT}`) : contractLines(Contract)}
${PaymentTokens.length > 0 && line("Paid in", html`<ul>${PaymentTokens.map(tokenItem)}</ul>`)}
${Signer !== undefined && line("Permits signed by", addressHtml(Signer))}
${OpensAt !== undefined && line("Opens", timeHtml(OpensAt))}
${ClosesAt !== undefined && line("Closes", timeHtml(ClosesAt))}
</dl>
</section>`;
}

function line(label: string, content: Html): Html {
  return html`<dt>${label}</dt><dd>${content}</dd>
`;
}

function contractLines({ Chain, ChainID, Address, ExplorerURL }: SaleContract): Html {
  const address = addressHtml(Address);
  const linked =
    ExplorerURL === undefined ? address : html`<a href="${ExplorerURL}" rel="external noopener">${address}</a>`;
  const copy = html`<data id="contract" value="${Address}" hidden></data><button type="button" class="link copy needs-script" data-copies="contract">Copy<span class="hidden"> the contract’s address</span></button>`;
  const chain = html`${Chain}${ChainID !== undefined && html` <span class="quiet">(chain ID ${String(ChainID)})</span>`}`;
  return html`${line("Contract", html`<span class="with-copy">${linked}${copy}</span>`)}${line("Chain", chain)}`;
}

function tokenItem({ Symbol: symbol, TokenAddress }: PaymentToken): Html {
  return html`<li>${symbol !== undefined && html`<bdi>${symbol}</bdi> `}${addressHtml(TokenAddress)}</li>`;
}

/** An address that is cut in its middle for the eye, and is whole for screen readers and when it is selected. */
function addressHtml(address: string): Html {
  return html`<code class="address"><span>${address.slice(0, -SHOWN_END)}</span><span>${address.slice(-SHOWN_END)}</span></code>`;
}

function timeHtml(time: string): Html {
  return html`<time datetime="${time}" data-local>${minuteText(time)}</time>`;
}
