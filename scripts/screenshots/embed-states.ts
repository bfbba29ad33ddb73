import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { type FakeSale, SALE } from "../../gateway/testing/fake-commitments.ts";
import { BIDDER, saleStates } from "../../gateway/testing/sale-states.ts";
import { SaleGateway } from "./sale-gateway.ts";
import { problemsUntil, type State } from "./state.ts";

const sales = saleStates(BigInt(Math.floor(Date.now() / 1_000)));
const SHOWN = `document.querySelector("tidemark-sale")?.shadowRoot?.textContent.trim() !== ""`;
/** Longer than the element's first connection takes. */
const SETTLE_MS = 1_000;

interface Embed extends Pick<State, "languages"> {
  readonly sale: FakeSale | undefined;
  /** Attributes of the element beside the sale. */
  readonly attributes?: string;
  /** Whether the gateway goes away after the element was shown. */
  readonly goesAway?: true;
}

function embed(name: string, title: string, { sale, goesAway, attributes = "", ...rest }: Embed): State {
  const start = async () => {
    const gateway = await SaleGateway.start(sale);
    const host = createServer((request, response) => {
      const language = request.headers["accept-language"]?.slice(0, 2) ?? "en";
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(hostPage(gateway.origin, language, attributes));
    });
    host.listen(0, "127.0.0.1");
    await once(host, "listening");
    const show = async (page: Page) => {
      await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
      const problems = await problemsUntil(page, SHOWN, "the element shows nothing");
      await page.waitForTimeout(SETTLE_MS);
      if (goesAway) {
        await gateway.stop();
        await page
          .locator("tidemark-sale")
          .getByText(/since|seit/)
          .waitFor();
      }
      return problems;
    };
    const restore = async () => {
      await gateway.stop();
      await gateway.resume();
    };
    const stop = async () => {
      host.close();
      host.closeAllConnections();
      await gateway.stop();
    };
    return { show, restore, stop };
  };
  return { name, title, ...rest, start };
}

/** Returns a founder's page with the element, and with a colour scheme. */
function hostPage(origin: string, language: string, attributes: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>A founder’s page</title><style>body { font: 1rem/1.5 system-ui, sans-serif; margin: 1.5rem; }</style>
<script type="module" src="${origin}/svc/v1/public/tidemark-sale.js"></script></head>
<body><main><h1>Our sale</h1><tidemark-sale sale="${SALE}"${attributes}><a href="${origin}/sales/${SALE}">See the sale live</a></tidemark-sale>
</main></body></html>`;
}

const BOTH = ["en-GB", "de-DE"];
const WALLET = ` wallet="${BIDDER}"`;

/** The states of the custom element on a page of somebody else. */
export const EMBED_STATES: readonly State[] = [
  embed("embed-upcoming", "Before it opens.", { sale: sales.upcoming, languages: BOTH }),
  embed("embed-open", "While it is open.", { sale: sales.openAnnounced, languages: BOTH }),
  embed("embed-compact", "In a line or two.", {
    sale: sales.openAnnounced,
    attributes: ` layout="compact"`,
    languages: BOTH,
  }),
  embed("embed-wallet", "With a wallet’s position.", {
    sale: sales.openAnnounced,
    attributes: WALLET,
    languages: BOTH,
  }),
  embed("embed-wallet-settled", "With what a settled sale accepts of a wallet.", {
    sale: sales.settled,
    attributes: WALLET,
  }),
  embed("embed-wallet-compact", "With a wallet’s position, compact.", {
    sale: sales.openAnnounced,
    attributes: `${WALLET} layout="compact"`,
  }),
  embed("embed-wallet-wrong", "With an address that isn’t one.", {
    sale: sales.openAnnounced,
    attributes: ` wallet="0x123"`,
  }),
  embed("embed-below-floor", "Nothing clears.", { sale: sales.belowFloor }),
  embed("embed-huge", "The largest figures.", { sale: sales.huge }),
  embed("embed-long-symbol", "Symbols of 32 characters.", { sale: sales.longSymbol }),
  embed("embed-test", "A test sale.", { sale: sales.test, languages: BOTH }),
  embed("embed-cancelling", "After bidding, with the time that comes next.", {
    sale: sales.cancelling,
    languages: BOTH,
  }),
  embed("embed-settled", "A settled sale.", { sale: sales.settled, languages: BOTH }),
  embed("embed-stale", "The contract can’t be read.", { sale: sales.stale, languages: BOTH }),
  embed("embed-unknown", "There is no such sale.", { sale: undefined, languages: BOTH }),
  embed("embed-gateway-away", "The gateway went away.", { sale: sales.openAnnounced, goesAway: true }),
];
