import type { Page } from "playwright-core";
import { salePaths, takingPartPaths } from "../../gateway/dashboard/base/dashboard-paths.ts";
import { harbourPortal } from "../../gateway/testing/auth-gateway.ts";
import { SALE } from "../../gateway/testing/fake-commitments.ts";
import { FounderSite, harbourAuction } from "../../gateway/testing/founder-site.ts";
import { type ScriptedCheck, scriptedIndexer } from "../../gateway/testing/scripted-indexer.ts";
import { activateNewKey, boundedGroup, setRules } from "../../gateway/testing/taking-part.ts";
import { SaleStage } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { freePort } from "../../test/support/processes/free-port.ts";
import type { State } from "./state.ts";

const ABSENT = { readable: false, problems: ["there is no contract at this address"] };
const READABLE = { readable: true, height: 19_000_000n, saleStage: SaleStage.PRE_OPEN, stage: 0 };

interface FounderPage {
  readonly path: string;
  readonly check: ScriptedCheck;
  /** Steps that were done before; an application that can sign users in by default. */
  readonly before?: (site: FounderSite) => Promise<unknown>;
}

const addApplication = ({ gateway }: FounderSite) => harbourPortal(gateway.auth);

function founderPage(name: string, title: string, { path, check, before = addApplication }: FounderPage): State {
  const start = async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const settings = { GATEWAY_PORT: String(port), AUTH_URL: origin };
    const site = await FounderSite.start(harbourAuction(), settings, scriptedIndexer(check));
    await before(site);
    const show = async (page: Page) => {
      const cookie = { name: "tidemark-session", value: site.sessionToken(), url: origin };
      await page.context().addCookies([cookie]);
      await page.goto(`${origin}${path}`);
      return [];
    };
    return { show, stop: () => site.stop() };
  };
  return { name, title, start };
}

const { sale, open } = salePaths(SALE);
const { overview: takingPart } = takingPartPaths(SALE);
const withPermits = async (site: FounderSite) => {
  await addApplication(site);
  await activateNewKey(site.gateway);
  await setRules(site.gateway, { groups: [boundedGroup()] });
};

/** The states of a founder's next steps. */
export const DASHBOARD_STATES: readonly State[] = [
  founderPage("next-nothing", "A draft without an application.", {
    ...{ path: sale, check: READABLE, before: async () => undefined },
  }),
  founderPage("next-contract-absent", "All is there but the contract.", { path: sale, check: ABSENT }),
  founderPage("next-contract-unchecked", "The contract can’t be checked now.", { path: sale, check: "away" }),
  founderPage("next-ready", "A draft that can open.", { path: sale, check: READABLE }),
  founderPage("opening-nothing", "The check before opening, without an application.", {
    ...{ path: open, check: ABSENT, before: async () => undefined },
  }),
  founderPage("opening-contract-absent", "The check before opening: no contract.", { path: open, check: ABSENT }),
  founderPage("opening-unchecked", "The check before opening: it can’t be made now.", { path: open, check: "away" }),
  founderPage("opening-ready", "The check before opening: all is met.", { path: open, check: READABLE }),
  founderPage("taking-part-contract-absent", "Who may take part, and the contract can’t be found.", {
    ...{ path: takingPart, check: ABSENT, before: withPermits },
  }),
  founderPage("taking-part-ready", "Who may take part, and the contract can be read.", {
    ...{ path: takingPart, check: READABLE, before: withPermits },
  }),
  founderPage("next-open", "An open sale whose contract was never read.", {
    ...{ path: sale, check: ABSENT, before: (site: FounderSite) => site.open() },
  }),
];
