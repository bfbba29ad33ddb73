import type { Page } from "playwright-core";
import { VERIFY_PATH } from "../../gateway/sale-page/sections/verify-link.ts";
import { type FakeSale, SALE } from "../../gateway/testing/fake-commitments.ts";
import { BIDDER, saleStates } from "../../gateway/testing/sale-states.ts";
import { boundedGroup, setRules } from "../../gateway/testing/taking-part.ts";
import { SaleGateway } from "./sale-gateway.ts";
import { sitePage } from "./site-page.ts";
import { problemsUntil, type State } from "./state.ts";

const PAGE = `/sales/${SALE}`;
const BOTH = ["en-GB", "de-DE"];
const sales = saleStates(BigInt(Math.floor(Date.now() / 1_000)));
type SaleName = keyof typeof sales;

/** The page has the figures of its stream, and each of its charts is drawn or says why there is none. */
const CHARTS_DRAWN = `Array.from(document.querySelectorAll("figure[data-chart] .plot")).every((plot) =>
  plot.querySelector("canvas, .nothing") !== null || plot.closest("details:not([open])") !== null)`;
const FOLLOWED = `document.querySelector("#state")?.dataset.state !== "connecting"`;
const LOST = `document.querySelector("#state")?.dataset.state === "lost"`;
const LOOKED_UP = `document.querySelector("#position:not([hidden]) #position-summary, #wallet-error") !== null`;

/** Brings a loaded page to its state, once its charts are drawn. Returns what is wrong with it. */
type Event = (page: Page, gateway: SaleGateway) => Promise<readonly string[]>;

interface SalePage extends Pick<State, "languages" | "isWithoutScript"> {
  /** Undefined for none: a draft, or a sale that was withdrawn. */
  readonly sale: FakeSale | undefined;
  readonly event?: Event;
  readonly path?: string;
  /** Breaks the services before the page is loaded. */
  readonly fault?: (gateway: SaleGateway) => void;
  /** Whether the page is one about no sale. */
  readonly isMessage?: true;
}

function salePage(name: string, title: string, shown: SalePage): State {
  const { sale, event, path = PAGE, fault, isMessage, ...rest } = shown;
  const start = async () => {
    const gateway = await SaleGateway.start(sale);
    fault?.(gateway);
    const show = async (page: Page) => {
      await page.goto(`${gateway.origin}${path}`);
      if (isMessage || rest.isWithoutScript) return (await event?.(page, gateway)) ?? [];
      const problems = [
        ...(await problemsUntil(page, FOLLOWED, "the page never connects")),
        ...(await problemsUntil(page, CHARTS_DRAWN, "a chart is an empty box")),
      ];
      return [...problems, ...((await event?.(page, gateway)) ?? [])];
    };
    const restore = async () => {
      await gateway.stop();
      await gateway.resume();
    };
    return { show, restore, stop: () => gateway.stop() };
  };
  return { name, title, ...rest, start };
}

const stateOf = (name: string, title: string, sale: SaleName, more: Partial<SalePage> = {}) =>
  salePage(name, title, { sale: sales[sale], ...more });

/** Looks up a wallet by the form, as far as a page without script goes. */
const sendLookUp: Event = async (page) => {
  await page.locator("#wallet").fill(BIDDER);
  await page.locator("#wallet").press("Enter");
  return problemsUntil(page, LOOKED_UP, "the look-up never answers");
};

const lookUp: Event = async (page, gateway) => {
  const problems = await sendLookUp(page, gateway);
  // Where the key came before the script, the form has loaded the page anew.
  return [...problems, ...(await problemsUntil(page, CHARTS_DRAWN, "a chart is an empty box"))];
};

const leaveGateway: Event = async (page, gateway) => {
  await gateway.stop();
  return problemsUntil(page, LOST, "the page doesn't notice that the gateway is away");
};

const withdraw: Event = async (page, gateway) => {
  gateway.commitments.sales.delete(SALE);
  return problemsUntil(page, `document.querySelector("main.sale") === null`, "the page stays as it was");
};

/** Does what a browser does to print: first the event, then the styles of paper. */
const print: Event = async (page) => {
  await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
  await page.emulateMedia({ media: "print" });
  return [];
};

/** Tries a bid in the middle of the demand. */
const tryBid: Event = async (page) => {
  await page.locator("#if-price").fill("0.20");
  await page.locator("#if-amount").fill("5000");
  return problemsUntil(page, `document.querySelector("#what-if .outcome") !== null`, "a tried bid gets no answer");
};

const unfold: Event = async (page) => {
  await page.locator(".folded > summary").click();
  return problemsUntil(page, CHARTS_DRAWN, "a chart is an empty box");
};

/** Prints the receipt of a wallet. */
const printReceipt: Event = async (page, gateway) => {
  const problems = await lookUp(page, gateway);
  await page.evaluate("window.print = () => {}");
  await page.locator("#receipt button").first().click();
  return [...problems, ...(await print(page, gateway))];
};

const ALLOCATIONS = { path: `${PAGE}/allocations`, isMessage: true } as const;
const LOOK_UP = { event: lookUp, languages: BOTH };

/** The states of a sale's public page. */
export const SALE_PAGE_STATES: readonly State[] = [
  salePage("sale-draft", "There is no such sale in public.", { sale: undefined, isMessage: true, languages: BOTH }),
  stateOf("sale-unreadable", "The contract of an open sale was never readable.", "openAnnounced", {
    fault: ({ commitments }) => {
      commitments.failLoads = true;
    },
    isMessage: true,
    languages: BOTH,
  }),
  stateOf("sale-upcoming", "The contract isn’t open yet; times are announced.", "upcoming", { languages: BOTH }),
  stateOf("sale-upcoming-announced", "It opens by announced times; no stage is known.", "upcomingAnnounced"),
  stateOf("sale-open", "Open, with announced times.", "openAnnounced", { languages: BOTH }),
  stateOf("sale-open-untimed", "Open, and nobody has announced times.", "openUntimed"),
  stateOf("sale-open-early", "The contract is open before the announced time.", "openEarly"),
  stateOf("sale-open-late", "The contract is open after the announced end.", "openLate"),
  stateOf("sale-empty", "Open, and nobody has bid.", "empty"),
  stateOf("sale-unknown-stage", "Open by announced times; no stage is known.", "unknownStage", { languages: BOTH }),
  stateOf("sale-unknown-stage-over", "Over by announced times; no stage is known.", "unknownStageOver"),
  stateOf("sale-unknown-stage-untimed", "Neither a stage nor times are known.", "unknownStageUntimed"),
  stateOf("sale-below-floor", "Less is bid than all tokens cost at the floor: nothing clears.", "belowFloor", {
    languages: BOTH,
  }),
  stateOf("sale-cleared", "It clears above the floor.", "cleared"),
  stateOf("sale-oversubscribed", "2.7 times the offer is bid.", "oversubscribed", { languages: BOTH }),
  stateOf("sale-fixed-price", "A sale at a fixed price.", "fixedPrice"),
  stateOf("sale-huge", "The largest figures and the longest texts.", "huge", { languages: BOTH }),
  stateOf("sale-long-symbol", "Symbols of 32 characters.", "longSymbol", { languages: BOTH }),
  stateOf("sale-bidding-ended", "Bidding has ended; nothing is settled.", "biddingEnded"),
  stateOf("sale-cancelling", "Bidding has ended; bids can be cancelled.", "cancelling"),
  stateOf("sale-settling", "Bidding has ended; it is being settled.", "settling"),
  stateOf("sale-settled", "Settled; what is accepted is known.", "settled", { languages: BOTH }),
  stateOf("sale-settled-below-floor", "Settled, and nothing cleared.", "settledBelowFloor"),
  stateOf("sale-settled-unfolded", "Settled, with what went before.", "settled", { event: unfold }),
  stateOf("print-receipt", "The receipt of a wallet on paper.", "settled", { event: printReceipt }),
  stateOf("allocations", "The list of all allocations.", "settled", { ...ALLOCATIONS, languages: BOTH }),
  stateOf("allocations-later", "The list of a sale that isn’t settled.", "cleared", ALLOCATIONS),
  stateOf("sale-withdrawn", "Withdrawn while the page was open.", "openAnnounced", { event: withdraw }),
  stateOf("sale-without-logo", "A sale without a logo: its initials.", "withoutLogo", { languages: BOTH }),
  stateOf("sale-test", "A test sale.", "test"),
  stateOf("sale-stale", "The contract can’t be read since hours.", "stale", { languages: BOTH }),
  stateOf("sale-late", "Reading the contract takes long.", "late"),
  stateOf("sale-gateway-away", "The gateway went away.", "cleared", { event: leaveGateway, languages: BOTH }),
  stateOf("look-up-open", "Bids of all kinds, while the sale is open.", "cleared", LOOK_UP),
  stateOf("look-up-below-floor", "Bids where nothing clears.", "belowFloor", LOOK_UP),
  stateOf("look-up-settled", "Bids of a settled sale: what was accepted.", "settled", LOOK_UP),
  stateOf("look-up-huge", "A look-up with the largest figures.", "huge", { event: lookUp }),
  stateOf("what-if-open", "A bid that is tried, marked in the demand.", "cleared", { event: tryBid, languages: BOTH }),
  stateOf("print-open", "On paper, without having been scrolled.", "cleared", { event: print }),
  stateOf("print-gateway-away", "On paper, while the gateway is away.", "cleared", {
    event: async (page, gateway) => [...(await leaveGateway(page, gateway)), ...(await print(page, gateway))],
  }),
  stateOf("no-script-open", "Without script.", "cleared", { isWithoutScript: true, languages: BOTH }),
  stateOf("no-script-look-up", "A look-up without script.", "cleared", {
    ...{ isWithoutScript: true, languages: BOTH },
    event: sendLookUp,
  }),
  stateOf("no-script-huge", "Without script, with the largest figures.", "huge", { isWithoutScript: true }),
  stateOf("no-script-settled", "Without script, settled.", "settled", { isWithoutScript: true }),
  salePage("verify", "How figures are checked.", {
    ...{ sale: undefined, path: `/sales/${VERIFY_PATH}`, isMessage: true, languages: BOTH },
  }),
  sitePage("rules", "Who may take part.", {
    path: `${PAGE}/rules`,
    before: async ({ gateway }) => {
      gateway.commitments.sales.set(SALE, sales.cleared);
      await setRules(gateway, { enabled: true, groups: [boundedGroup()], countries: ["US", "KP"], onSalePage: true });
    },
  }),
  salePage("home", "The page at the root.", { sale: undefined, path: "/", isMessage: true, languages: BOTH }),
  salePage("api", "The page of the API, with its list.", {
    sale: undefined,
    path: "/docs",
    isMessage: true,
  }),
  salePage("api-viewer", "The page of the API, with its viewer.", {
    sale: undefined,
    path: "/docs",
    isMessage: true,
    event: async (page) => {
      await page.locator("#open").click();
      return problemsUntil(page, `document.querySelector("#listing").hidden`, "the viewer never comes");
    },
  }),
];
