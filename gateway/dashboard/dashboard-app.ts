import { Hono } from "hono";
import { DASHBOARD_PATH } from "../web/auth/auth-paths.ts";
import type { AuthApp, AuthContext, AuthEnv } from "../web/http/hono-context.ts";
import { answerPageError, refuseMethod, unstored } from "../web/pages/page-answers.ts";
import {
  addRedirectUri,
  changeApplication,
  changeApplicationStatus,
  createApplication,
  previewConsent,
  removeRedirectUri,
  setLogos,
  showApplication,
  showNewApplication,
} from "./application.ts";
import { checkEntries } from "./check.ts";
import type { DashboardParts } from "./dashboard-dependencies.ts";
import { applicationPaths, CHECK_PATH, NEW_SALE_PATH, salePaths } from "./dashboard-paths.ts";
import { removeMember, setMember, showMembers } from "./members.ts";
import { createSale, showNewSale } from "./new-sale.ts";
import { openSale, settleSale, showContract, showOpening, showSettlement } from "./opening.ts";
import { showLog } from "./sale-log.ts";
import { showSale } from "./sale-page.ts";
import { showSales } from "./sales-list.ts";
import { changeSettings, showSettings } from "./settings.ts";

type Handler = (c: AuthContext, parts: DashboardParts) => Response | Promise<Response>;

const SALE = salePaths(":sale");
const APPLICATION = applicationPaths(":sale", ":client");

/** In the order in which they are tried: `new` is no application's UUID. */
const ROUTES: readonly (readonly [path: string, handlers: Readonly<Partial<Record<"GET" | "POST", Handler>>>])[] = [
  [DASHBOARD_PATH, { GET: showSales }],
  [NEW_SALE_PATH, { GET: showNewSale, POST: createSale }],
  [CHECK_PATH, { POST: checkEntries }],
  [SALE.sale, { GET: showSale }],
  [SALE.settings, { GET: showSettings, POST: changeSettings }],
  [SALE.contract, { GET: showContract }],
  [SALE.open, { GET: showOpening, POST: openSale }],
  [SALE.settle, { GET: showSettlement, POST: settleSale }],
  [SALE.members, { GET: showMembers, POST: setMember }],
  [SALE.removeMember, { GET: leadBack, POST: removeMember }],
  [SALE.log, { GET: showLog }],
  [SALE.newApplication, { GET: showNewApplication, POST: createApplication }],
  [APPLICATION.application, { GET: showApplication, POST: changeApplication }],
  [APPLICATION.addRedirectUri, { GET: leadBack, POST: addRedirectUri }],
  [APPLICATION.removeRedirectUri, { GET: leadBack, POST: removeRedirectUri }],
  [APPLICATION.logos, { GET: leadBack, POST: setLogos }],
  [APPLICATION.preview, { GET: previewConsent }],
  [APPLICATION.status, { GET: leadBack, POST: changeApplicationStatus }],
];

/** Of a form on a page: where its errors were shown, people load the address anew. */
function leadBack(c: AuthContext) {
  return c.redirect(c.req.path.replace(/\/(?:redirect-uris\/)?[a-z]+$/, ""), 303);
}

/** The founder's pages, and the forms on them. */
export function dashboardApp(parts: DashboardParts): AuthApp {
  const app = new Hono<AuthEnv>();
  app.onError((error, c) => answerPageError(c, error, parts));
  for (const [path, handlers] of ROUTES) {
    app.use(path, unstored);
    for (const [method, handle] of Object.entries(handlers)) app.on(method, path, (c) => handle(c, parts));
    app.all(path, (c) => refuseMethod(c, Object.keys(handlers)));
  }
  return app;
}
