import { readFile } from "node:fs/promises";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import type { Server } from "../../../client/index.ts";
import type { DemoSale } from "../sales/demo-sales.ts";
import type { Bidding } from "./bidding.ts";
import { problemPage } from "./document.ts";
import { OAuthClient } from "./oauth-client.ts";
import { visitPage } from "./pages.ts";
import { resume } from "./permit-actions.ts";
import { SaleCalls } from "./sale-calls.ts";
import { STATES_PATH, statesPage } from "./states-page.ts";
import { ACTIONS, handleCallback } from "./visit-actions.ts";
import { type Visit, Visits } from "./visits.ts";

export interface ApplicationOptions {
  /** The application's address in a browser. */
  readonly origin: string;
  /** `AUTH_URL`. */
  readonly issuer: string;
  /** The public calls. */
  readonly server: Server;
  /** The sale whose application it is. */
  readonly sale: DemoSale;
  readonly bidding: Bidding;
}

interface ApplicationFile {
  readonly url: URL;
  readonly mediaType: string;
}

/** The files that the application's pages load, by path. */
const APPLICATION_FILES: ReadonlyMap<string, ApplicationFile> = new Map([
  ["/style.css", { url: new URL("style.css", import.meta.url), mediaType: "text/css; charset=utf-8" }],
  ["/logo.png", { url: new URL("../logos/square.png", import.meta.url), mediaType: "image/png" }],
]);

export const CALLBACK_PATH = "/oauth/callback";

/** Browsers share cookies between ports of a host, so the name must not be one of Tidemark's own. */
const COOKIE = "demo-application";
/** Longest body of a form, in bytes. */
const MAX_FORM_BYTES = 4_096;

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

/** The demo's application. Its users sign in with Tidemark and bid, and its pages show every step. All state is in memory. */
export function createApplication(options: ApplicationOptions): Hono {
  const { origin, issuer, server, sale, bidding } = options;
  const client = new OAuthClient({ issuer, clientId: sale.clientUuid, redirectUri: origin + CALLBACK_PATH });
  const context = { client, sale, bidding, calls: new SaleCalls({ server, saleUuid: sale.uuid }) };
  const shown = { issuer, sale, bidding, livePage: new URL(`/sales/${sale.uuid}`, server.url).href };
  const visits = new Visits();
  const app = new Hono();
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    if (isOwnRequest(c, origin)) return next();
    return c.html(problemPage("This request didn’t come from a page of this application."), 403);
  });
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: (c) => c.html(problemPage("This form is too long."), 413) }));
  app.get("/", async (c) => {
    const visit = visitOf(c, visits);
    visit.prepared ??= await client.prepare();
    if (visit.isShown) await resume(visit, context);
    visit.isShown = true;
    return c.html(visitPage(visit, { ...shown, prepared: visit.prepared }));
  });
  app.get(STATES_PATH, (c) => c.html(statesPage(issuer)));
  app.get(CALLBACK_PATH, async (c) => {
    const visit = visitOf(c, visits);
    await handleCallback(visit, context, new URL(c.req.url));
    visit.isShown = false;
    return c.redirect("/", 303);
  });
  for (const [path, act] of ACTIONS) {
    app.post(path, async (c) => {
      const visit = visitOf(c, visits);
      await act(visit, context, new URLSearchParams(await c.req.text()));
      visit.isShown = false;
      return c.redirect("/", 303);
    });
  }
  app.post("/again", (c) => {
    visits.remove(getCookie(c, COOKIE));
    return c.redirect("/", 303);
  });
  for (const [path, file] of APPLICATION_FILES) {
    app.get(path, async (c) => c.body(await readApplicationFile(file), 200, { "Content-Type": file.mediaType }));
  }
  app.notFound((c) => c.html(problemPage("There is no such page."), 404));
  app.onError((error, c) => c.html(problemPage(`That can’t be done now: ${error.message}`), 502));
  return app;
}

/** Keeps other sites out: names of theirs that resolve to this machine, and forms that they send here. */
function isOwnRequest({ req }: Context, origin: string): boolean {
  if (req.header("host") !== new URL(origin).host) return false;
  return req.method === "GET" || req.header("sec-fetch-site") === "same-origin" || req.header("origin") === origin;
}

function visitOf(c: Context, visits: Visits): Visit {
  const existing = visits.find(getCookie(c, COOKIE));
  if (existing !== undefined) return existing;
  const visit: Visit = { steps: [] };
  setCookie(c, COOKIE, visits.add(visit), { httpOnly: true, sameSite: "Lax", path: "/" });
  return visit;
}

async function readApplicationFile({ url }: ApplicationFile): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(url));
}
