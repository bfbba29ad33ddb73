import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { APPLICATION_FILES, readApplicationFile } from "./application-files.ts";
import { OAuthClient, type OAuthClientOptions } from "./oauth-client.ts";
import { problemPage, visitPage } from "./pages.ts";
import { ACTIONS, handleCallback } from "./visit-actions.ts";
import { type Visit, Visits } from "./visits.ts";

export interface ApplicationOptions extends Omit<OAuthClientOptions, "redirectUri"> {
  /** The application's address in a browser. */
  readonly origin: string;
}

export const CALLBACK_PATH = "/oauth/callback";

/** Browsers share cookies between ports of a host, so the name must not be one of Tidemark's own. */
const COOKIE = "demo-application";

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

/** The demo's application. Its users sign in with Tidemark, and its pages show every step. All state is in memory. */
export function createApplication({ origin, issuer, clientId }: ApplicationOptions): Hono {
  const client = new OAuthClient({ issuer, clientId, redirectUri: origin + CALLBACK_PATH });
  const visits = new Visits();
  const app = new Hono();
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    if (isOwnRequest(c, origin)) return next();
    return c.html(problemPage("This request didn’t come from a page of this application."), 403);
  });
  app.get("/", async (c) => {
    const visit = visitOf(c, visits);
    visit.prepared ??= await client.prepare();
    return c.html(visitPage(visit, visit.prepared, issuer));
  });
  app.get(CALLBACK_PATH, async (c) => {
    await handleCallback(visitOf(c, visits), client, new URL(c.req.url));
    return c.redirect("/", 303);
  });
  for (const [path, act] of ACTIONS) {
    app.post(path, async (c) => {
      await act(visitOf(c, visits), client);
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
  app.onError((error, c) => c.html(problemPage(`Tidemark can’t be asked now: ${error.message}`), 502));
  return app;
}

/** Keeps other sites out: names of theirs that resolve to this machine, and forms that they send here. */
function isOwnRequest({ req }: Context, origin: string): boolean {
  if (req.header("host") !== new URL(origin).host) return false;
  return req.method === "GET" || req.header("sec-fetch-site") === "same-origin" || req.header("origin") === origin;
}

function visitOf(c: Context, visits: Visits): Visit {
  const known = visits.find(getCookie(c, COOKIE));
  if (known !== undefined) return known;
  const visit: Visit = { steps: [] };
  setCookie(c, COOKIE, visits.add(visit), { httpOnly: true, sameSite: "Lax", path: "/" });
  return visit;
}
