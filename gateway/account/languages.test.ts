import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Application } from "../../services/auth/testing/application.ts";
import { unvisitedAccountPages } from "../../test/support/pages/account-pages.ts";
import {
  authorizePath,
  CLIENT_ID,
  type FullGateway,
  harbourPortal,
  LOGOUT_URI,
  startAuthGateway,
  startFullGateway,
} from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { addEntity } from "../testing/own-entities.ts";
import { PageBrowser, type ShownPage } from "../testing/page-browser.ts";
import { englishOn } from "../testing/text-leaves.ts";
import { DE } from "../web/texts/de.ts";
import { EN } from "../web/texts/en.ts";
import { entityPaths, NEW_ENTITY_PATH } from "./entities/entity-paths.ts";

const AUTHORIZE = authorizePath();
/** Stands for the entity in addresses. */
const ENTITY = "31313131-3131-4131-8131-313131313131";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const PATHS = entityPaths(ENTITY);

let gateway: FullGateway;
let application: Application;
let browser: PageBrowser;
/** Somebody new in each test. */
let user: string;
beforeAll(async () => {
  gateway = await startFullGateway();
  application = await harbourPortal(gateway.auth);
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.auth.faults.reset();
  user = `${randomUUID()}@example.org`;
  browser = new PageBrowser(gateway.origin);
});

const speakGerman = () => browser.cookies.set("tidemark-language", "de");
const haveSession = async () =>
  browser.cookies.set("tidemark-session", await gateway.auth.signIn({ email: user, by: "passkey" }));
const enterEmail = (page: ShownPage, email = user) => browser.send(page, { action: "/sign-in", fields: { email } });
const enterCode = (page: ShownPage, code = gateway.auth.mailedCode()) =>
  browser.send(page, { action: "/sign-in/code", fields: { code } });

/** Addresses of the pages that were looked at in German. */
const inGerman = new Set<string>();

function expectGerman(page: ShownPage, title: string): void {
  inGerman.add(page.path);
  expect(page.headers.get("content-language")).toBe("de");
  expect(page.html).toContain('<html lang="de">');
  expect(page.html).toContain(`<title>${title} · Tidemark</title>`);
  expect(englishOn(page.html, EN, DE)).toStrictEqual([]);
  // Those of a script are filled by it.
  expect(page.html.replace(/ data-texts="[^"]*"/, "")).not.toMatch(/\{\w+\}/);
}

function linkToGerman(html: string): string {
  const [, link = ""] = /<a href="([^"]*)"[^>]* lang="de">Deutsch</.exec(html) ?? [];
  return link.replaceAll("&amp;", "&");
}

describe("the language of the sign-in pages", () => {
  it("is the one that the browser prefers, else English", async () => {
    expectGerman(await browser.open("/sign-in", { "accept-language": "de-AT,en;q=0.5" }), "Anmelden");
    const other = await browser.open("/sign-in", { "accept-language": "fr" });
    expect([other.headers.get("content-language"), other.html]).toStrictEqual([
      "en",
      expect.stringContaining("Sign in"),
    ]);
    // A page that is never stored needs none.
    expect(other.headers.get("vary")).toBeNull();
  });

  it("is changed by a link that leads back to the page, and stays", async () => {
    const page = await browser.open(AUTHORIZE);
    const german = await browser.open(linkToGerman(page.html));
    expect(german.path).toBe(page.path);
    expectGerman(german, "Anmelden");
    expectGerman(await browser.open("/signed-out", { "accept-language": "en" }), "Sie sind abgemeldet");
    expect((await browser.open("/sign-in?set_language=en")).headers.get("content-language")).toBe("en");
  });

  it("can be changed on a page with an error, without losing the authorization, the error or what was entered", async () => {
    const page = await enterEmail(await browser.open(AUTHORIZE), "nobody");
    const german = await browser.open(linkToGerman(page.html));
    expect([german.status, german.path, german.html]).toStrictEqual([
      422,
      page.path,
      expect.stringContaining('value="nobody"'),
    ]);
    expectGerman(german, "Fehler: Anmelden");
    browser.cookies.delete("tidemark-language");
    const wrong = await enterCode(await enterEmail(await browser.open(AUTHORIZE)), "wrong");
    const wrongInGerman = await browser.open(linkToGerman(wrong.html));
    expect([wrongInGerman.status, wrongInGerman.path]).toStrictEqual([422, wrong.path]);
  });

  it("is the one of ui_locales for an authorization, unless the user has chosen one", async () => {
    expectGerman(await browser.open(`${AUTHORIZE}&ui_locales=fr%20de-CH`), "Anmelden");
    expectGerman(await browser.open("/sign-in"), "Anmelden");
    const next = await browser.open(`${AUTHORIZE}&ui_locales=xx`);
    expect(next.headers.get("content-language")).toBe("en");
    browser.cookies.set("tidemark-language", "en");
    const chosen = await browser.open(`${AUTHORIZE}&ui_locales=de`);
    expect(chosen.headers.get("content-language")).toBe("en");
  });

  it("is told to the auth service, which writes mails in it", async () => {
    speakGerman();
    await enterEmail(await browser.open("/sign-in"));
    expect(gateway.auth.faults.asked("BeginSignIn")[0]).toMatchObject({ peer: { language: "de" } });
  });

  it("is kept in a cookie that only https sends, where the site is https", async () => {
    const secure = await startAuthGateway({ AUTH_URL: "https://auth.example" });
    const { headers } = await fetch(`${secure.origin}/sign-in?set_language=de`, { redirect: "manual" });
    expect(headers.getSetCookie()).toStrictEqual([expect.stringMatching(/^tidemark-language=de; .*; Secure$/)]);
    expect([headers.get("location"), headers.get("cache-control")]).toStrictEqual(["/sign-in", "no-store"]);
    await secure.stop();
  });
});

describe("in German", () => {
  beforeEach(speakGerman);

  it("one signs in, and allows access", async () => {
    const bad = await enterEmail(await browser.open(AUTHORIZE), "nobody");
    expectGerman(bad, "Fehler: Anmelden");
    const code = await enterEmail(await browser.open(AUTHORIZE));
    expectGerman(code, "Sehen Sie in Ihr Postfach");
    let wrong = await enterCode(code, "wrong");
    expect(wrong.html).toContain("Das ist kein Code");
    wrong = await enterCode(code, "BBBB-BBBB");
    expectGerman(wrong, "Fehler: Sehen Sie in Ihr Postfach");
    expect(wrong.html).toContain("Sie haben noch 4 Versuche.");
    for (let tries = 4; tries > 0; tries--) wrong = await enterCode(code, "BBBB-BBBB");
    expectGerman(wrong, "Fehler: Fordern Sie einen neuen Code an");
    const consent = await enterCode(await enterEmail(await browser.open(AUTHORIZE)));
    expectGerman(consent, "Zugriff für Harbour Portal erlauben?");
    expect(consent.html).toContain("<bdi>Harbour Portal</bdi> bittet um Zugriff");
    expect(consent.html).toContain("Ihre E\u2011Mail-Adresse erfahren");
  });

  it.each([
    ["/sign-in?again=1", "Bestätigen Sie, dass Sie es sind"],
    ["/signed-out?deleted=1", "Ihr Konto ist gelöscht"],
    ["/oauth/authorize?client_id=x", "Dieser Link funktioniert nicht"],
    [`/oauth/authorize?client_id=${CLIENT_ID}`, "Diese Anfrage kann nicht abgeschlossen werden"],
    ["/oauth/continue?authorization=x", "Diese Seite ist nicht mehr gültig"],
    ["/oauth/consent", "Hier gibt es keine Seite"],
    ["/account/nothing", "Diese Seite gibt es nicht"],
  ])("%s is “%s”", async (path, title) => {
    await browser.open("/sign-in");
    expectGerman(await browser.open(path), title);
  });

  it.each([
    [Code.ResourceExhausted, "Bitte warten Sie einen Moment"],
    [Code.Unavailable, "Der Dienst ist im Moment nicht erreichbar"],
    [Code.InvalidArgument, "Das ist nicht möglich"],
    [Code.Internal, "Bei uns ist ein Fehler aufgetreten"],
  ])("the failure %i is “%s”", async (code, title) => {
    gateway.auth.faults.failure = new ConnectError("failed", code);
    expectGerman(await browser.open(AUTHORIZE), title);
  });

  it.each([
    ["/account", "Ihr Konto"],
    ["/account?done=withdrawn", "Ihr Konto"],
    ["/account/email", "Adresse ändern"],
    ["/account/data", "Ihre Daten"],
    ["/account/passkeys", "Passkeys"],
    ["/account/passkeys?done=removed", "Passkeys"],
    ["/account/passkeys/offer", "Nächstes Mal schneller anmelden"],
    ["/account/passkey-rule", "Passkey verlangen?"],
    ["/account/recovery", "Konto wiederherstellen"],
    ["/account?done=passkey-required", "Ihr Konto"],
    ["/account/delete", "Konto löschen?"],
    [NEW_ENTITY_PATH, "Wer nimmt teil?"],
    [PATHS.entity, "Alice"],
    [`${PATHS.entity}?done=renamed`, "Alice"],
    [PATHS.wallet, "Wallet verknüpfen"],
    [PATHS.remove, "Alice löschen?"],
    [`/account/liveness?sale=${SALE}&entity=${ENTITY}`, "Bestätigen Sie, dass Sie hier sind"],
    ["/account/liveness", "Dieser Link ist unvollständig"],
    [`/account/alerts/stop?token=${"t".repeat(43)}`, "Keine E‑Mails mehr zu diesem Verkauf?"],
    ["/account/alerts/stop", "Dieser Link ist nicht vollständig"],
    ["/account?done=alerts-saved", "Ihr Konto"],
    [entityPaths(SALE).entity, "Diesen Teilnehmer gibt es nicht"],
  ])("%s is “%s”", async (path, title) => {
    await haveSession();
    const { uuid } = await addEntity(gateway, { label: "Alice" }, user);
    await gateway.auth.addPasskey("Alice", user);
    expectGerman(await browser.open(path.replace(ENTITY, uuid)), title);
  });

  it("an application signs the user out", async () => {
    await haveSession();
    const { idToken } = await application.tokens(await gateway.auth.signIn(), { scope: "openid" });
    const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: LOGOUT_URI });
    expectGerman(await browser.open(`/oauth/logout?${query}`), "Abmelden?");
  });

  it("a new address gets a code", async () => {
    await haveSession();
    const fields = { email: "bob@example.org" };
    const page = await browser.send(await browser.open("/account/email"), { action: "/account/email", fields });
    expectGerman(page, "Sehen Sie in Ihr Postfach");
  });

  it("an account that requires a passkey is recovered", async () => {
    await gateway.auth.addPasskey("Alice", user);
    const sessionToken = await gateway.auth.signIn({ email: user, by: "passkey" });
    await gateway.auth.people.accounts.setPasskeyRequired({ sessionToken, required: true });
    expectGerman(await enterCode(await enterEmail(await browser.open("/sign-in"))), "Ihr Konto verlangt einen Passkey");
  });

  it("a wallet is linked, and its script speaks German too", async () => {
    await haveSession();
    const { wallet } = entityPaths((await addEntity(gateway, {}, user)).uuid);
    const page = await browser.send(await browser.open(wallet), {
      action: wallet,
      fields: { address: WALLET, chain: "1" },
    });
    expectGerman(page, "Signieren Sie diesen Text");
    expect(page.html).toContain("Antworten Sie in Ihrer Wallet.");
  });
});

it("every page was looked at in German", () => {
  expect(unvisitedAccountPages(inGerman)).toStrictEqual([]);
});
