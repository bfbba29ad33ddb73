import type { Page } from "playwright-core";
import { harbourPortal } from "../../gateway/testing/auth-gateway.ts";
import { FounderSite, harbourAuction } from "../../gateway/testing/founder-site.ts";
import { isOfPattern } from "../../gateway/testing/route-table.ts";
import { type ScriptedCheck, scriptedIndexer } from "../../gateway/testing/scripted-indexer.ts";
import { SaleStage } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { freePort } from "../../test/support/processes/free-port.ts";
import type { State } from "./state.ts";

/** Answer of an indexer about a contract that can be read. */
const READABLE = { readable: true, height: 19_000_000n, saleStage: SaleStage.PRE_OPEN, stage: 0 };

interface SitePage extends Pick<State, "isWithoutScript"> {
  /** Address that is opened. */
  readonly path: string;
  /** Route of the page that is shown then, where it isn't the path. */
  readonly page?: string;
  /** A contract that can be read by default. */
  readonly check?: ScriptedCheck;
  /** Steps that were done before; an application that can sign users in by default. */
  readonly before?: (site: FounderSite) => Promise<unknown>;
  /** Steps from the address to the page, in each picture. */
  readonly reach?: (page: Page, site: FounderSite) => Promise<unknown>;
  /** How somebody is signed in: just now with a passkey by default. */
  readonly session?: Parameters<FounderSite["sessionToken"]>[0] | "none";
}

export const addApplication = ({ gateway }: FounderSite) => harbourPortal(gateway.auth);

/** Returns the state of a page at a site with all services, at which a founder, who also reviews, is signed in. */
export function sitePage(name: string, title: string, shown: SitePage): State {
  const { path, check = READABLE, before = addApplication, reach, session, isWithoutScript } = shown;
  const { page: route = path.replace(/\?.*/, "") } = shown;
  const start = async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const settings = { GATEWAY_PORT: String(port), AUTH_URL: origin, REVIEWERS: USER };
    const site = await FounderSite.start(harbourAuction(), settings, scriptedIndexer(check));
    await before(site);
    const show = async (page: Page) => {
      if (session !== "none") {
        const cookie = { name: "tidemark-session", value: site.sessionToken(session), url: origin };
        await page.context().addCookies([cookie]);
      }
      await page.goto(`${origin}${path}`);
      await reach?.(page, site);
      await page.waitForLoadState();
      const { pathname } = new URL(page.url());
      return isOfPattern(route, pathname) ? [] : [`it is ${pathname}`];
    };
    return { show, stop: () => site.stop() };
  };
  return { name, title, route, start, ...(isWithoutScript && { isWithoutScript }) };
}
