import { describe, expect, it } from "vitest";
import { APPLICATION_HOST } from "../support/applications/application-site.ts";
import { authorizationRequest } from "../support/pages/sign-in-visitor.ts";
import { signInVisits } from "../support/pages/sign-in-visits.ts";

const REQUIRED = "read_entities sale_eligibility_check";
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const NO_SCRIPT = { javaScriptEnabled: false };

const { site, visitor } = signInVisits();

describe("an authorization in a browser", () => {
  it.each([
    ["with a keyboard and a mouse", {}],
    ["on a phone", PHONE],
    ["without script", NO_SCRIPT],
  ] as const)("grants the optional scope too, %s", async (_, options) => {
    const alice = await visitor(options);
    const { url, codeVerifier } = authorizationRequest(site());
    await alice.page.goto(url);
    await alice.signIn();
    await alice.sees("An application asks for access");
    await alice.page.getByLabel("Share your e-mail address").check();
    await alice.press("Allow");
    const { code, ...others } = await alice.arrival();
    expect(others).toStrictEqual({ state: "a state", iss: site().origin });
    expect(await alice.exchange(code, codeVerifier)).toMatchObject({ scope: `${REQUIRED} contact_email` });
  });

  it("grants only what is required, remembers it, and asks again for what is new", async () => {
    const bob = await visitor();
    const first = authorizationRequest(site());
    await bob.page.goto(first.url);
    await bob.signIn();
    for (const scope of ["See your entities", "Check whether you may take part, and ask for purchase permits"]) {
      const box = bob.page.getByLabel(scope);
      expect([await box.isChecked(), await box.isDisabled()]).toStrictEqual([true, true]);
    }
    await bob.press("Allow");
    const { code } = await bob.arrival();
    expect(await bob.exchange(code, first.codeVerifier)).toMatchObject({ scope: REQUIRED });
    const second = authorizationRequest(site());
    await bob.page.goto(second.url);
    expect(await bob.exchange((await bob.arrival()).code, second.codeVerifier)).toMatchObject({ scope: REQUIRED });
    await bob.page.goto(authorizationRequest(site(), { prompt: "consent" }).url);
    await bob.sees("An application asks for access");
  });

  it("returns to an application on the developer's own machine, which asks each time", async () => {
    const { loopbackCallback, loopbackArrival } = site().application;
    const request = () =>
      authorizationRequest(site(), { client_id: site().loopbackClientUuid, redirect_uri: loopbackCallback });
    const carol = await visitor();
    const { url, codeVerifier } = request();
    await carol.page.goto(url);
    expect(await carol.page.getByText("Test sale.").isVisible()).toBe(true);
    await carol.signIn();
    await carol.press("Allow");
    const { code } = await carol.arrival(loopbackArrival);
    expect(await carol.exchange(code, codeVerifier)).toMatchObject({ scope: REQUIRED });
    await carol.page.goto(request().url);
    await carol.press("Cancel");
    expect(await carol.arrival(loopbackArrival)).toMatchObject({ error: "access_denied" });
  });

  it("is cancelled", async () => {
    const dave = await visitor();
    await dave.page.goto(authorizationRequest(site()).url);
    await dave.signIn();
    await dave.press("Cancel");
    const refusal = { state: "a state", iss: site().origin, error: "access_denied" };
    expect(await dave.arrival()).toMatchObject(refusal);
  });

  it("works by keyboard alone", async () => {
    const erin = await visitor();
    const { keyboard } = erin.page;
    const { url, codeVerifier } = authorizationRequest(site());
    await erin.page.goto(url);
    // The pages begin in their field.
    await keyboard.type(erin.email);
    await keyboard.press("Enter");
    await erin.sees("Check your e-mail");
    await keyboard.type((await erin.mailedCode()).replace("-", "").toLowerCase());
    await keyboard.press("Enter");
    await erin.sees("An application asks for access");
    // "Not you?", then the optional scope, then Allow.
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    await keyboard.press("Space");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    const { code } = await erin.arrival();
    expect(await erin.exchange(code, codeVerifier)).toMatchObject({ scope: `${REQUIRED} contact_email` });
  });

  it("survives the back button, before the answer and after it", async () => {
    const frank = await visitor();
    const { url, codeVerifier } = authorizationRequest(site());
    await frank.page.goto(url);
    await frank.signIn();
    await frank.sees("An application asks for access");
    await frank.page.goBack();
    await frank.sees("An application asks for access");
    await frank.press("Allow");
    const { code } = await frank.arrival();
    await frank.page.goBack();
    await frank.sees("You have already answered");
    expect(await frank.exchange(code, codeVerifier)).toMatchObject({ scope: REQUIRED });
  });

  it("goes on for another account", async () => {
    const grace = await visitor();
    await grace.page.goto(authorizationRequest(site()).url);
    await grace.signIn(`other-${grace.email}`);
    await grace.press("Not you?");
    await grace.sees("Sign in");
    await grace.signIn();
    await grace.page.getByText(grace.email, { exact: true }).first().waitFor();
    await grace.press("Allow");
    expect(await grace.arrival()).toHaveProperty("code");
  });

  it("follows a sign-in in another tab, and takes one answer to a page that two tabs show", async () => {
    const heidi = await visitor();
    const [mine, theirs] = [authorizationRequest(site()), authorizationRequest(site())];
    await heidi.page.goto(mine.url);
    const other = await heidi.openTab(theirs.url);
    await heidi.signIn();
    await heidi.sees("An application asks for access");
    const same = await heidi.openTab(heidi.page.url());
    // The other tab shows a form of the time before.
    await other.getByLabel("E-mail address").fill(heidi.email);
    await heidi.press("Send me a code", other);
    await heidi.sees("An application asks for access", other);
    await heidi.press("Allow");
    expect(await heidi.exchange((await heidi.arrival()).code, mine.codeVerifier)).toHaveProperty("scope");
    await heidi.press("Allow", same);
    await heidi.sees("You have already answered", same);
    await heidi.press("Allow", other);
    await other.waitForURL(`${site().application.arrival}?**`);
    const code = new URL(other.url()).searchParams.get("code") ?? undefined;
    expect(await heidi.exchange(code, theirs.codeVerifier)).toHaveProperty("scope");
  });

  it("says so when the page has expired", async () => {
    const ivan = await visitor();
    await ivan.page.goto(authorizationRequest(site()).url);
    await ivan.signIn();
    await ivan.sees("An application asks for access");
    await site().database.write((query) =>
      query.updateTable("authorization_request").set({ expires_at_ms: 1n }).execute(),
    );
    await ivan.press("Allow");
    await ivan.sees("This page is no longer valid");
  });

  it("belongs to the browser in which it began", async () => {
    const [judy, mallory] = [await visitor(), await visitor()];
    await judy.page.goto(authorizationRequest(site()).url);
    await mallory.page.goto("/sign-in");
    await mallory.page.goto(judy.page.url());
    await mallory.sees("This belongs to another browser");
  });
});

describe("a mistaken request", () => {
  it.each([
    ["of an unknown client", { client_id: "99999999-9999-4999-8999-999999999999" }],
    ["with a redirect URI that isn't registered", { redirect_uri: "https://app.example/elsewhere" }],
  ])("%s leads nowhere", async (_, changes) => {
    const alice = await visitor();
    const answer = await alice.page.goto(authorizationRequest(site(), changes).url);
    expect(answer?.status()).toBe(400);
    await alice.sees("This link doesn’t work");
    expect(await alice.page.getByRole("link").count()).toBe(0);
  });

  it("of a known application has a way back", async () => {
    const alice = await visitor();
    await alice.page.goto(authorizationRequest(site(), { code_challenge: "short" }).url);
    await alice.sees("This request can’t be completed");
    await alice.page.getByRole("link", { name: `Back to ${APPLICATION_HOST}` }).click();
    expect(await alice.arrival()).toMatchObject({ error: "invalid_request", state: "a state", iss: site().origin });
  });

  it("returns at once to an application that must not be shown a page", async () => {
    const alice = await visitor();
    await alice.page.goto(authorizationRequest(site(), { prompt: "none" }).url);
    expect(await alice.arrival()).toMatchObject({ error: "login_required" });
  });
});
