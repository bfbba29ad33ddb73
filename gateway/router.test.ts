import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VENDOR_SETTINGS } from "../services/entities/testing/vendor.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./account/entities/entity-paths.ts";
import { DASHBOARD_SCRIPT } from "./dashboard/base/dashboard-assets.ts";
import { reviewPath, takingPartPaths } from "./dashboard/base/dashboard-paths.ts";
import { identityCallbackPath } from "./public-calls/identity-callbacks.ts";
import { OPERATIONS, pathsOf } from "./public-calls/operations.ts";
import { type FullGateway, harbourPortal, startFullGateway } from "./testing/auth-gateway.ts";
import { SALE, SUMMARY, saleAt } from "./testing/fake-commitments.ts";
import { isOfPattern, routeTable } from "./testing/route-table.ts";
import { SQUARE_LOGO } from "./testing/sample-logos.ts";
import { STYLESHEET } from "./web/pages/page-assets.ts";
import { AUTH_PATHS } from "./web/sessions/auth-paths.ts";

const METHODS = ["GET", "HEAD", "POST", "OPTIONS", "PUT"] as const;
const PUBLIC_HOST = "sale.example";
const AUTH_HOST = "sign-in.example";
const TWO_HOSTS = { AUTH_URL: `https://${AUTH_HOST}`, PUBLIC_BASE_URL: `https://${PUBLIC_HOST}` };

const sale = `/svc/v1/public/sales/${SALE}`;
const founderSale = `/dashboard/sales/${SALE}`;
const application = `${founderSale}/applications/${SALE}`;

/** Every row of the table, and targets beside them that look alike. */
const TARGETS = [
  "/svc/v1/public/read-commitment-data",
  "/svc/v1/public/read-commitment-data?x=1",
  "/svc/v1/public/read-commitment-data/",
  "/svc/v1/public/read%2dcommitment-data",
  "//svc/v1/public/read-commitment-data",
  `http://${PUBLIC_HOST}/svc/v1/public/read-commitment-data`,
  "/other/v1/public/read-commitment-data",
  "/svc/v1/public/read-sale",
  "/svc/v1/public/read-sale/",
  "/svc/v1/public/read-position",
  "/svc/v1/public/read-position/",
  `${sale}/`,
  `${sale}/commitment-data`,
  `${sale}/commitment-data?x=1`,
  `http://${AUTH_HOST}${sale}/commitment-data`,
  `${sale}/commitment-data/`,
  "/svc/v1/public/sales/123/commitment-data",
  "/svc/v1/public/sales//commitment-data",
  "/svc/v1/public/sales/a/b/commitment-data",
  `${sale}/commitment-data/stream`,
  `${sale}/commitment-data/stream/`,
  `${sale}/history`,
  `${sale}/demand`,
  `${sale}/demand/`,
  sale,
  "/svc/v1/public/tidemark-sale.js",
  "/svc/v1/public/tidemark-sale.js/",
  "/svc/v1/public/tidemark-sale/0123456789ab.js",
  "/svc/v1/my-profile",
  "/svc/v1/my-profile/",
  "/svc/v1/list-available-entities",
  "/svc/v1/read-entity",
  "/svc/v1/pre-purchase-check",
  "/svc/v1/generate-purchase-permit",
  "/svc/v1/limits",
  "/svc/v1/investment-history",
  "/svc/v1/identity-callbacks",
  "/svc/v1/identity-callbacks/",
  "/svc/v1/nothing",
  "/externalapi.MyProfile",
  "/externalapi.MyProfile/",
  "/externalapi.ListAvailableEntities",
  "/externalapi.ReadEntity",
  "/externalapi.PrePurchaseCheck",
  "/externalapi.GenerateSalePurchasePermit",
  "/externalapi.Limits",
  "/externalapi.ReadEntityInvestmentHistory",
  "/externalapi.Allocation",
  "/oauth.ExchangeAuthorizationCodeV2",
  "/oauth.RefreshAccessToken",
  `/svc/${SALE}`,
  `/svc/${SALE}/`,
  `/svc/${SALE}/home`,
  `/svc/${SALE}/nothing`,
  "/svc/123",
  "/svc/123/home",
  "/svc",
  "/founder",
  `/sales/${SALE}`,
  `/sales/${SALE}?x=1`,
  `/sales/${SALE}/`,
  `/sales/${SALE}/allocations`,
  `/sales/${SALE}/allocations.csv`,
  `/sales/${SALE}/history.svg`,
  `/sales/${SALE}/clearing.svg`,
  `/sales/${SALE}/count.svg`,
  `/sales/${SALE}/demand.svg`,
  `/sales/${SALE}/share.png`,
  `/sales/${SALE}/rules`,
  "/sales/123",
  "/sales/assets/0000000000000000/sale.js",
  "/sales/",
  "/sales",
  "/oauth/authorize",
  "/oauth/authorize?client_id=x",
  "/oauth/authorize/",
  "/oauth/continue",
  "/oauth/consent",
  "/oauth/choose-account",
  "/oauth/par",
  "/oauth/logout",
  "/oauth/logout/confirm",
  "/oauth/token",
  "/oauth/token/",
  "/%6fauth/token",
  "/OAUTH/token",
  `http://${AUTH_HOST}/oauth/token`,
  "/oauth/revoke",
  "/oauth/introspect",
  "/oauth/userinfo",
  "/oauth",
  "/.well-known/oauth-authorization-server",
  "/.well-known/jwks.json",
  "/.well-known/openid-configuration",
  "/sign-in",
  "/sign-in?next=delete",
  "/sign-in/",
  "/sign-in/code",
  "/sign-in/passkey",
  "/sign-in/passkey/question",
  "/sign-out",
  "/signed-out",
  "/account",
  "/account/",
  "/account/passkeys",
  "/account/passkeys/question",
  "/account/passkeys/rename",
  "/account/passkeys/remove",
  "/account/passkeys/offer",
  "/account/passkey-rule",
  "/account/recovery",
  "/sign-in/recovery",
  "/account/sessions/end",
  "/account/sessions/end-others",
  "/account/applications/withdraw",
  "/account/email",
  "/account/email/code",
  "/account/data",
  "/account/data.json",
  "/account/delete",
  "/account/liveness",
  "/account/alerts",
  "/account/alerts/stop",
  `/account/liveness?sale=${SALE}&entity=${SALE}`,
  NEW_ENTITY_PATH,
  ...Object.values(entityPaths(SALE)),
  `${entityPaths(SALE).entity}/nothing`,
  "/account/entities",
  "/account/nothing",
  "/account/email/nothing",
  "/dashboard",
  "/dashboard/",
  "/dashboard/guide",
  "/dashboard/guide/sales",
  "/dashboard/guide/operating",
  "/dashboard/guide/..%2foperating",
  "/dashboard/nothing",
  "/dashboard?x=1",
  "/dashboards",
  "/dashboard/new-sale",
  "/dashboard/%6eew-sale",
  "/dashboard/check",
  founderSale,
  `${founderSale}/`,
  `${founderSale}/settings`,
  `${founderSale}/webhooks`,
  `${founderSale}/import`,
  `${founderSale}/presentation`,
  `${founderSale}/presentation/logo`,
  `${founderSale}/preview`,
  `${founderSale}/contract`,
  `${founderSale}/contract/state`,
  `${founderSale}/open`,
  `${founderSale}/settle`,
  `${founderSale}/settlement`,
  `${founderSale}/remove`,
  `${founderSale}/members`,
  `${founderSale}/members/remove`,
  `${founderSale}/members/passkeys`,
  `${founderSale}/log`,
  `${founderSale}/days`,
  `${founderSale}/developers`,
  `${founderSale}/applications`,
  `${founderSale}/applications/new`,
  `${application}/security`,
  application,
  `${application}/redirect-uris/add`,
  `${application}/redirect-uris/remove`,
  `${application}/logos`,
  `${application}/preview`,
  `${application}/status`,
  `${founderSale}/commitments.csv`,
  "/dashboard/sales/123/commitments.csv",
  "/dashboard/sales//commitments.csv",
  `${founderSale}/commitments.csv/`,
  `${founderSale}/commitments-for-people.csv`,
  `${founderSale}/downloads`,
  `${founderSale}/nothing`,
  ...Object.values(takingPartPaths(SALE)),
  `${takingPartPaths(SALE).overview}/nothing`,
  "/dashboard/reviews",
  reviewPath(SALE),
  STYLESHEET.path,
  DASHBOARD_SCRIPT.path,
  "/assets/unknown.css",
  "/assets/",
  "/assets",
  "/assets/a/b",
  "/assets/../dashboard",
  "/assets/%2e%2e/dashboard",
  "/assets/..%2fdashboard",
  "/dashboard/..\\oauth/token",
  `/logos/${SQUARE_LOGO.hash}`,
  "/logos/123",
  `/logos/${"0".repeat(64)}`,
  "/logos/",
  "/openapi.json",
  "/openapi.json/",
  "/docs",
  "/docs/",
  "/docs/swagger-ui.js",
  "/",
  "*",
  "/nothing",
  "/favicon.ico",
];

/** Surfaces of which the OpenAPI document describes nothing, each with the reason. */
const UNDOCUMENTED_SURFACES: Readonly<Record<string, string>> = {
  account: "pages for people",
  dashboard: "pages for people",
  "sale-page": "pages for people, and their files",
  openapi: "the document itself, and the pages that show it",
  web: "files of pages",
};

/** Paths of the other surfaces that the document leaves out. */
const UNDOCUMENTED_PATHS: Readonly<Record<string, string>> = {
  [AUTH_PATHS.continue]: "a page to which authorize leads",
  [AUTH_PATHS.consent]: "a form's address",
  [AUTH_PATHS.chooseAccount]: "a form's address",
  [AUTH_PATHS.confirmLogout]: "a form's address",
};

/** Methods of documented paths that the document leaves out. */
const UNDOCUMENTED_METHODS: Readonly<Record<string, string>> = {
  [`POST ${AUTH_PATHS.authorize}`]: "the same by a form (OpenID Connect Core 3.1.2.1)",
  [`POST ${AUTH_PATHS.logout}`]: "the same by a form (OpenID Connect RP-Initiated Logout 2)",
};

/** Returns the routes of surfaces for programs that are neither documented nor left out by name. */
function unlistedRoutes(table: readonly (readonly [string, string, ...unknown[]])[], documented: readonly string[]) {
  return table
    .filter(([path, surface]) => !(surface in UNDOCUMENTED_SURFACES || path in UNDOCUMENTED_PATHS))
    .map(([path]) => path)
    .filter((path) => !documented.includes(path));
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly allow: string;
}

let gateway: FullGateway;

function send(method: string, path: string, host: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: gateway.port, method, path, headers: { host } }, (response) => {
      const { "content-type": type = "-", allow = "" } = response.headers;
      const answer = { status: response.statusCode ?? 0, type, allow };
      // A stream of events doesn't end by itself.
      if (type === "text/event-stream") sent.destroy();
      if (sent.destroyed) resolve(answer);
      else response.resume().once("end", () => resolve(answer));
    });
    sent.on("error", reject).end();
  });
}

/** Texts that would make lines long or change with a file's content. */
const SHORT: Readonly<Record<string, string>> = {
  [SALE]: "{sale}",
  [STYLESHEET.path]: "/assets/{stylesheet}",
  [DASHBOARD_SCRIPT.path]: "/assets/{script}",
  [SQUARE_LOGO.hash]: "{logo}",
};

function shortened(target: string): string {
  return Object.entries(SHORT).reduce((text, [long, short]) => text.replaceAll(long, short), target);
}

/** One line a target: the answer to each method, methods with the same answer together. */
async function describeAnswers(host: string): Promise<string> {
  const lines: string[] = [];
  for (const target of TARGETS) {
    const methods = new Map<string, string[]>();
    const answers = await Promise.all(METHODS.map((method) => send(method, target, host)));
    for (const [index, { status, type, allow }] of answers.entries()) {
      const answer = `${status} ${type}${allow && ` (Allow: ${allow})`}`;
      methods.set(answer, [...(methods.get(answer) ?? []), METHODS[index] ?? ""]);
    }
    const described = Array.from(methods, ([answer, names]) => `${names.join()} ${answer}`);
    lines.push(`${shortened(target)}: ${described.join("; ")}\n`);
  }
  return lines.join("");
}

const recordOf = (name: string) => `testing/routes/${name.replaceAll(" ", "-")}.txt`;

/** Has the tests of a suite send their requests to one gateway. */
function useGateway(variables: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    gateway = await startFullGateway({ ...VENDOR_SETTINGS, IDENTITY_CALLBACKS: "on", ...variables });
    await harbourPortal(gateway.auth);
    gateway.commitments.sales.set(SALE, { ...saleAt(1n), sale: SUMMARY });
  });
  afterAll(() => gateway.stop());
}

it("records a target of every row of the table, so that a new route is noticed", () => {
  const recorded = TARGETS.map((target) => target.replace(/^https?:\/\/[^/]+|\?.*$/g, ""));
  const missing = (patterns: readonly string[]) =>
    patterns.filter((pattern) => !recorded.some((path) => isOfPattern(pattern, path)));
  const patterns = routeTable().map(([path]) => path);
  expect(patterns.length).toBeGreaterThan(100);
  expect(missing(patterns)).toEqual([]);
  expect(missing([...patterns, "/planted/:name"])).toEqual(["/planted/:name"]);
});

describe("the router", () => {
  useGateway();

  it("answers on one host for everything as recorded, and counts requests of sign-in under a few routes", async () => {
    const answers = await describeAnswers("localhost:8080");
    await expect(answers).toMatchFileSnapshot(recordOf("one host for everything"));
    const metrics = await gateway.registry.metrics();
    const routes = [...metrics.matchAll(/^tidemark_gateway_auth_requests_total\{route="([^"]+)"/gm)].map(
      ([, name]) => name,
    );
    const calls = OPERATIONS.flatMap((operation) => pathsOf(operation, "svc"));
    const links = ["/svc/:sale", "/svc/:sale/home", "/founder", NEW_ENTITY_PATH];
    const files = ["commitments.csv", "commitments-for-people.csv"].map((name) => `/dashboard/sales/:saleUuid/${name}`);
    const others = ["/dashboard", ...files, "file", ...calls, identityCallbackPath("svc"), ...links];
    expect([...new Set(routes)].toSorted()).toEqual([...Object.values(AUTH_PATHS), ...others].toSorted());
  });

  it("answers every operation of the OpenAPI document, and has none that isn't in it", async () => {
    const response = await fetch(`${gateway.origin}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
    const unlike: string[] = [];
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of ["GET", "POST"]) {
        const { status } = await send(method, path.replace("{SaleUUID}", SALE), PUBLIC_HOST);
        // The sale is no auction, so it has no demand.
        const isAnswered = (path.endsWith("/demand") ? [404] : [200, 400, 401, 403, 415]).includes(status);
        if (isAnswered !== method.toLowerCase() in operations) unlike.push(`${method} ${path}`);
      }
    }
    expect(unlike).toEqual(Object.keys(UNDOCUMENTED_METHODS));
    expect(unlistedRoutes(routeTable(), Object.keys(paths))).toEqual([]);
    // A documented path without a route is noticed above, an undocumented route here.
    const planted = ["/svc/v1/public/planted", "public-read", "public"] as const;
    expect(unlistedRoutes([...routeTable(), planted], Object.keys(paths))).toEqual([planted[0]]);
  });
});

describe("the router of a deployment with two hosts", () => {
  useGateway(TWO_HOSTS);

  it.each([
    ["the public host beside one for sign-in", PUBLIC_HOST],
    ["the host for sign-in", AUTH_HOST],
    ["the host for sign-in", `${AUTH_HOST.toUpperCase()}:443`],
  ])("answers on %s as recorded", async (name, host) => {
    await expect(await describeAnswers(host)).toMatchFileSnapshot(recordOf(name));
  });
});

describe("the router whose public paths begin like sale pages", () => {
  useGateway({ PUBLIC_PATH_PREFIX: "sales" });

  it("serves the public read before sale pages with the same first segment", async () => {
    const answer = await send("GET", `/sales/v1/public/sales/${SALE}/commitment-data`, PUBLIC_HOST);
    expect(answer).toMatchObject({ status: 200, type: "application/json" });
  });
});
