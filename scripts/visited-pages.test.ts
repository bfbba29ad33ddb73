import { describe, expect, it } from "vitest";
import { CHECK_PATH, takingPartPaths } from "../gateway/dashboard/base/dashboard-paths.ts";
import { isOfPattern, routeTable } from "../gateway/testing/route-table.ts";
import {
  ACCOUNT_PAGES,
  accountRoutes,
  OTHER_ACCOUNT_PATHS,
  unvisitedAccountPages,
} from "../test/support/pages/account-pages.ts";
import { OTHER_PATHS_OF_SALE, PAGES_OF_SALE } from "../test/support/pages/founder-pages.ts";
import { readRepository } from "../test/support/repository/repository.ts";
import { ALL_STATES } from "./screenshots/all-states.ts";

const SALE = /^\/dashboard\/sales\/(?::sale|\{saleUuid\})/;

/** The paths below a sale. */
const paths = routeTable()
  .map(([path]) => path)
  .filter((path) => SALE.test(path))
  .map((path) => path.replace(SALE, ""));

/** Returns the text by which the source of a test names a page that it visits. */
function nameOf(page: string): string {
  const ofTakingPart = Object.entries(takingPartPaths("")).find(([, path]) => path.endsWith(`/sales/${page}`));
  if (ofTakingPart !== undefined) return `goTo(PATHS.${ofTakingPart[0]})`;
  // The variable in which that test has the application's path.
  return page === "/applications/:client" ? "application," : page.replace("/applications/:client", "{application}");
}

describe("the paths of a sale in the dashboard", () => {
  it("are all visited in a browser, or are no page", () => {
    const listed: readonly string[] = [...PAGES_OF_SALE, ...Object.keys(OTHER_PATHS_OF_SALE)];
    expect(paths.filter((path) => !listed.includes(path))).toEqual([]);
    expect(listed.filter((path) => !paths.includes(path))).toEqual([]);
    expect(paths.length).toBeGreaterThan(30);
  });

  it("are visited by the test that is named for them", () => {
    const named = Object.entries(OTHER_PATHS_OF_SALE).filter(([, visitor]) => visitor.startsWith("test/"));
    expect(named.filter(([page, test]) => !readRepository(test).includes(nameOf(page)))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });
});

describe("the paths of sign-in, OAuth and the account", () => {
  it("are all visited in a browser, or are no page", () => {
    const listed = [...ACCOUNT_PAGES, ...Object.keys(OTHER_ACCOUNT_PATHS)];
    expect(accountRoutes().toSorted()).toEqual(listed.toSorted());
    expect(listed.length).toBeGreaterThan(40);
  });

  it("are missed where no visited address is one of theirs", () => {
    const visited = ACCOUNT_PAGES.map((page) => `${page.replace(":entity", "1")}?x=1`);
    expect(unvisitedAccountPages(visited)).toEqual([]);
    expect(unvisitedAccountPages(visited.slice(1))).toEqual([ACCOUNT_PAGES[0]]);
  });
});

describe("the gallery of states", () => {
  it("has a picture of each page that is visited", () => {
    const visitedOtherwise = Object.keys(OTHER_PATHS_OF_SALE).filter((path) =>
      OTHER_PATHS_OF_SALE[path]?.startsWith("test/"),
    );
    const ofSale = [...PAGES_OF_SALE, ...visitedOtherwise].map((path) => `/dashboard/sales/:sale${path}`);
    const ofDashboard = routeTable().flatMap(([path, surface]) =>
      surface === "dashboard" && !SALE.test(path) && path !== CHECK_PATH ? [path] : [],
    );
    const shown = ALL_STATES.flatMap(({ route }) => route ?? []);
    const pages = [...ACCOUNT_PAGES, ...ofSale, ...ofDashboard];
    expect(pages.filter((page) => !shown.some((path) => isOfPattern(page, path)))).toEqual([]);
    expect(pages.length).toBeGreaterThan(50);
  });
});
