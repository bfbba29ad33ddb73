import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_ID, type FullGateway, harbourPortal, LOGOUT_URI, startFullGateway } from "../testing/auth-gateway.ts";
import { isOfPattern, routeTable } from "../testing/route-table.ts";
import { AUTH_PATHS } from "../web/sessions/auth-paths.ts";
import { nextPath } from "../web/sessions/session.ts";

const UUID = "31313131-3131-4131-8131-313131313131";
const HANDLE = "h".repeat(43);
/** Fields that some forms need to say what they are about. */
const FIELDS = {
  authorization: HANDLE,
  sale: UUID,
  entity: UUID,
  client: CLIENT_ID,
  post_logout_redirect_uri: LOGOUT_URI,
};

const CONTINUE = `${AUTH_PATHS.continue}?authorization=${HANDLE}`;
/** Forms that go elsewhere than to a sign-in that leads back: they are bound to no session, or end one. */
const OTHER_ANSWERS: Readonly<Record<string, string>> = {
  [AUTH_PATHS.authorize]: `${AUTH_PATHS.authorize}?`,
  [AUTH_PATHS.consent]: CONTINUE,
  [AUTH_PATHS.chooseAccount]: CONTINUE,
  [AUTH_PATHS.signOut]: CONTINUE,
  [AUTH_PATHS.passkeyOffer]: CONTINUE,
  [AUTH_PATHS.passkeys]: CONTINUE,
  [AUTH_PATHS.passkeyQuestion]: CONTINUE,
  [AUTH_PATHS.confirmLogout]: LOGOUT_URI,
  [AUTH_PATHS.recoveryByPass]: `${AUTH_PATHS.signIn}?again=1`,
};
/** Forms of the pages that sign in, and what applications send: no session is needed. */
const WITHOUT_SESSION: ReadonlySet<string> = new Set([
  AUTH_PATHS.signIn,
  AUTH_PATHS.code,
  AUTH_PATHS.passkeySignIn,
  AUTH_PATHS.passkeySignInQuestion,
  AUTH_PATHS.logout,
  AUTH_PATHS.push,
  AUTH_PATHS.token,
  AUTH_PATHS.revoke,
  AUTH_PATHS.introspect,
  AUTH_PATHS.userinfo,
]);
/** Pages of forms whose address shows none. */
const PAGES: Readonly<Record<string, string>> = {
  [AUTH_PATHS.alerts]: AUTH_PATHS.account,
  [AUTH_PATHS.endSession]: AUTH_PATHS.account,
  [AUTH_PATHS.endOtherSessions]: AUTH_PATHS.account,
  [AUTH_PATHS.withdraw]: AUTH_PATHS.account,
  [AUTH_PATHS.emailCode]: AUTH_PATHS.email,
  [AUTH_PATHS.renamePasskey]: AUTH_PATHS.passkeys,
  [AUTH_PATHS.removePasskey]: AUTH_PATHS.passkeys,
  [AUTH_PATHS.liveness]: `${AUTH_PATHS.liveness}?sale=${UUID}&entity=${UUID}`,
};

let gateway: FullGateway;
beforeAll(async () => {
  gateway = await startFullGateway();
  await harbourPortal(gateway.auth);
});
afterAll(() => gateway.stop());

/** Sends a form as a page of ours does, in a browser without a session. */
function send(path: string, site = "same-origin") {
  const headers = { "sec-fetch-site": site, cookie: `tidemark-browser=${"b".repeat(43)}` };
  return fetch(gateway.origin + path, {
    method: "POST",
    body: new URLSearchParams(FIELDS),
    headers,
    redirect: "manual",
  });
}

/** Paths of all rows of sign-in, account and dashboard that take a form by POST. */
async function forms(): Promise<string[]> {
  const patterns = routeTable().flatMap(([path, surface]) =>
    ["account", "oauth", "dashboard"].includes(surface) && !/[*{]/.test(path) && !WITHOUT_SESSION.has(path)
      ? [path]
      : [],
  );
  const paths = [...new Set(patterns)].map((path) => path.replace(/:\w+/g, UUID));
  const answers = await Promise.all(paths.map((path) => send(path, "cross-site")));
  return paths.filter((_, index) => ![404, 405].includes(answers[index]?.status ?? 0));
}

/** Whether a sign-in leads to the page of a form: its own address, or the page above it, to which a GET of the address leads. */
function leadsBack(location: string, path: string): boolean {
  const { pathname, searchParams } = new URL(location, gateway.origin);
  const page = nextPath(searchParams.get("next") ?? "") ?? AUTH_PATHS.account;
  if (pathname !== AUTH_PATHS.signIn) return false;
  return PAGES[path] === undefined ? page === path || page === pageAbove(path) : page === PAGES[path];
}

const pageAbove = (path: string) => path.replace(/\/(?:redirect-uris\/)?[a-z]+$/, "");

describe("a form that is sent after the session has ended", () => {
  it("leads to a sign-in and from there back to its own page, whichever form it is", async () => {
    const wrong: unknown[] = [];
    const sent = await forms();
    expect(sent.length).toBeGreaterThan(40);
    for (const path of sent) {
      const location = (await send(path)).headers.get("location") ?? "";
      const other = OTHER_ANSWERS[path];
      const isRight = other === undefined ? leadsBack(location, path) : location.startsWith(other);
      if (!isRight) wrong.push({ path, location });
    }
    expect(wrong).toStrictEqual([]);
  });

  it("comes back to a page that a GET shows", async () => {
    const session = await gateway.auth.signIn({ email: `${randomUUID()}@example.org`, by: "passkey" });
    const shown = async (path: string) => {
      const headers = { cookie: `tidemark-session=${session}` };
      return (await fetch(gateway.origin + path, { headers, redirect: "manual" })).status;
    };
    const pages = (await forms())
      .filter((path) => OTHER_ANSWERS[path] === undefined)
      .map((path) => PAGES[path] ?? path);
    const missing: unknown[] = [];
    for (const page of new Set(pages)) if ((await shown(page)) === 405) missing.push(page);
    // For the script of the page with the form.
    expect(missing).toStrictEqual(["/dashboard/check"]);
  });

  it.each(Object.keys(OTHER_ANSWERS).filter((path) => path !== AUTH_PATHS.authorize))(
    "is refused from elsewhere, also where it needs no session: %s (CSRF)",
    async (path) => expect((await send(path, "cross-site")).status).toBe(403),
  );

  it("is one of the routing table's, each of which this test knows", () => {
    const patterns = routeTable().map(([path]) => path);
    for (const path of [...Object.keys(OTHER_ANSWERS), ...Object.keys(PAGES), ...WITHOUT_SESSION]) {
      expect([path, patterns.some((pattern) => isOfPattern(pattern, path))]).toStrictEqual([path, true]);
    }
  });
});
