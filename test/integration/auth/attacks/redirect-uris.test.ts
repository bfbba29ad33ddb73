import { beforeAll, expect, it } from "vitest";
import { sampleDefinition } from "../../../../services/auth/testing/sample-application.ts";
import type { WebApplication } from "../../../support/applications/web-application.ts";
import { describeAuthWeb, type WebUser } from "../../../support/pages/auth-web.ts";

const REGISTERED = "https://app.example/callback";
const WITH_QUERY = "https://app.example/callback?tenant=a";
const LOOPBACK = "http://127.0.0.1:5000/callback";
const PATHLESS = ["http://127.0.0.1:7000", "http://localhost:3000", "http://[::1]:8080"];
const LOOPBACK_IPV6 = "http://[::1]:5000/callback";

type Variant = readonly [attack: string, rfc: string, uri: string];

const VARIANTS: readonly Variant[] = [
  ["scheme in upper case", "RFC 9700 4.1.3", "HTTPS://app.example/callback"],
  ["host in upper case", "RFC 9700 4.1.3", "https://APP.example/callback"],
  ["path in upper case", "RFC 9700 4.1.3", "https://app.example/Callback"],
  ["http for https", "RFC 9700 4.1.3", "http://app.example/callback"],
  ["no scheme", "RFC 6749 3.1.2", "//app.example/callback"],
  ["javascript", "RFC 9700 4.1.3", "javascript:alert(1)//app.example/callback"],
  ["data", "RFC 9700 4.1.3", "data:text/html,https://app.example/callback"],
  ["slash at the end", "RFC 9700 4.1.3", `${REGISTERED}/`],
  ["slash at the front", "RFC 9700 4.1.3", "https://app.example//callback"],
  ["no path", "RFC 9700 4.1.3", "https://app.example"],
  ["root", "RFC 9700 4.1.3", "https://app.example/"],
  ["path goes on", "RFC 9700 4.1.1", `${REGISTERED}/more`],
  ["path's name goes on", "RFC 9700 4.1.1", `${REGISTERED}2`],
  ["path cut short", "RFC 9700 4.1.1", "https://app.example/callbac"],
  ["default port", "RFC 9700 4.1.3", "https://app.example:443/callback"],
  ["other port", "RFC 9700 4.1.3", "https://app.example:8443/callback"],
  ["empty port", "RFC 9700 4.1.3", "https://app.example:/callback"],
  ["letter encoded", "RFC 3986 6.2.2.2", "https://app.example/%63allback"],
  ["slash encoded", "RFC 3986 2.2", "https://app.example/callback%2F"],
  ["encoded twice", "RFC 3986 2.4", "https://app.example/%2563allback"],
  ["host encoded", "RFC 3986 3.2.2", "https://app%2Eexample/callback"],
  ["user", "RFC 3986 3.2.1", "https://user@app.example/callback"],
  ["user and password", "RFC 3986 3.2.1", "https://user:pass@app.example/callback"],
  ["empty user", "RFC 3986 3.2.1", "https://@app.example/callback"],
  ["host as user", "RFC 9700 4.1.1", "https://app.example@evil.example/callback"],
  ["host as user before a backslash", "RFC 9700 4.1.1", "https://evil.example\\@app.example/callback"],
  ["backslash for slash", "WHATWG URL 4.4", "https://app.example\\callback"],
  ["backslashes for slashes", "WHATWG URL 4.4", "https:\\\\app.example\\callback"],
  ["one slash", "WHATWG URL 4.4", "https:/app.example/callback"],
  ["traversal", "RFC 9700 4.1.1", "https://app.example/callback/../callback"],
  ["traversal to elsewhere", "RFC 9700 4.1.1", "https://app.example/callback/../open-redirect"],
  ["traversal encoded", "RFC 9700 4.1.1", "https://app.example/callback/%2e%2e/callback"],
  ["path parameters", "RFC 9700 4.1.1", "https://app.example/callback;/../../evil"],
  ["dot segment", "RFC 3986 5.2.4", "https://app.example/./callback"],
  ["query added", "RFC 9700 4.1.1", `${REGISTERED}?next=https://evil.example`],
  ["bare question mark", "RFC 9700 4.1.3", `${REGISTERED}?`],
  ["query changed", "RFC 9700 4.1.3", "https://app.example/callback?tenant=b"],
  ["query goes on", "RFC 9700 4.1.3", `${WITH_QUERY}&next=evil`],
  ["fragment", "RFC 6749 3.1.2", `${REGISTERED}#fragment`],
  ["bare fragment", "RFC 6749 3.1.2", `${REGISTERED}#`],
  ["host goes on", "RFC 9700 4.1.1", "https://app.example.evil.example/callback"],
  ["host under it", "RFC 9700 4.1.1", "https://www.app.example/callback"],
  ["host that ends alike", "RFC 9700 4.1.1", "https://evilapp.example/callback"],
  ["dot after the host", "RFC 3986 3.2.2", "https://app.example./callback"],
  ["host with other letters", "RFC 3490", "https://аpp.example/callback"],
  ["host with a full-width dot", "RFC 3490", "https://app。example/callback"],
  ["host with a soft hyphen", "RFC 3490", "https://ap\u00adp.example/callback"],
  ["space in front", "WHATWG URL 4.4", ` ${REGISTERED}`],
  ["space behind", "WHATWG URL 4.4", `${REGISTERED} `],
  ["tab inside", "WHATWG URL 4.4", "https://app.example/call\tback"],
  ["line break inside", "WHATWG URL 4.4", "https://app.example/call\r\nback"],
  ["line break behind", "WHATWG URL 4.4", `${REGISTERED}\n`],
  ["NUL behind", "RFC 3986 2", `${REGISTERED}\0`],
  ["NUL before another host", "RFC 3986 2", "https://app.example\0.evil.example/callback"],
  ["wildcard", "RFC 9700 4.1.1", "https://*.example/callback"],
  ["two in one", "RFC 6749 3.1.2", `${REGISTERED} https://evil.example/`],
  ["origin of ours", "RFC 9700 4.11", "https://auth.example/oauth/continue"],
];

const LOOPBACK_VARIANTS: readonly Variant[] = [
  ["localhost for its address", "RFC 8252 8.3", "http://localhost:5000/callback"],
  ["https", "RFC 8252 7.3", "https://127.0.0.1:5000/callback"],
  ["another address of the machine", "RFC 8252 7.3", "http://127.0.0.2:5000/callback"],
  ["all addresses", "RFC 8252 8.3", "http://0.0.0.0:5000/callback"],
  ["the address as a number", "WHATWG URL 3.5", "http://2130706433:5000/callback"],
  ["the address cut short", "WHATWG URL 3.5", "http://127.1:5000/callback"],
  ["mapped IPv6", "RFC 4291 2.5.5.2", "http://[::ffff:127.0.0.1]:5000/callback"],
  ["IPv6 at length", "RFC 5952 4", "http://[0:0:0:0:0:0:0:1]:5000/callback"],
  ["port zero", "RFC 8252 7.3", "http://127.0.0.1:0/callback"],
  ["port too large", "RFC 3986 3.2.3", "http://127.0.0.1:65536/callback"],
  ["port with a sign", "RFC 3986 3.2.3", "http://127.0.0.1:+80/callback"],
  ["port with zeros", "RFC 3986 3.2.3", "http://127.0.0.1:05000/callback"],
  ["a host behind a port", "RFC 3986 3.2", "http://127.0.0.1:5000@evil.example/callback"],
  ["a host behind a dot", "RFC 9700 4.1.1", "http://127.0.0.1.evil.example:5000/callback"],
  ["another path", "RFC 8252 7.3", "http://127.0.0.1:5000/other"],
  ["a query", "RFC 8252 7.3", "http://127.0.0.1:5000/callback?a=b"],
  ["a fragment", "RFC 6749 3.1.2", "http://127.0.0.1:5001/callback#"],
];

describeAuthWeb("a redirect URI that looks like a registered one", (web) => {
  let application: WebApplication;
  let test: WebApplication;
  let user: WebUser;
  beforeAll(async () => {
    user = await web().user();
    application = await web().application({ definition: sampleDefinition({ redirectUris: [REGISTERED, WITH_QUERY] }) });
    const redirectUris = [REGISTERED, LOOPBACK, LOOPBACK_IPV6, ...PATHLESS];
    test = await web().application({ tenancy: "test", definition: sampleDefinition({ redirectUris }) });
  });

  /** Tested also with an existing consent, with which a valid request gets a code at once. */
  it("is refused, though the registered ones work", async () => {
    for (const uri of [REGISTERED, WITH_QUERY]) {
      await expect(application.code(user.browser, { redirect_uri: uri })).resolves.toBeTruthy();
    }
    await expect(test.code(user.browser, { redirect_uri: REGISTERED })).resolves.toBeTruthy();
  });

  it.each(VARIANTS)("isn't used for a redirect: %s (%s)", async (_, __, uri) => {
    for (const client of [application, test]) {
      const shown = await client.authorize(user.browser, { redirect_uri: uri, prompt: "none" });
      expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
      expect(shown.html).not.toContain('href="http');
    }
  });

  it.each(VARIANTS)("redeems no code: %s (RFC 6749 4.1.3)", async (_, __, uri) => {
    const code = await application.code(user.browser, { redirect_uri: REGISTERED });
    expect(await application.exchange(code, { redirect_uri: uri })).toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
    expect(await application.exchange(code)).toMatchObject({ status: 200 });
  });

  it.each(LOOPBACK_VARIANTS)("isn't used for a redirect to the user's machine: %s (%s)", async (_, __, uri) => {
    const shown = await test.authorize(user.browser, { redirect_uri: uri, prompt: "none" });
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
  });

  it.each([LOOPBACK, LOOPBACK_IPV6])(
    "may have any port of %s, and the code is valid with that port only (RFC 8252 7.3)",
    async (uri) => {
      const other = uri.replace("5000", "61234");
      const code = await test.code(user.browser, { redirect_uri: other });
      expect(await test.exchange(code, { redirect_uri: uri })).toMatchObject({ status: 400, error: "invalid_grant" });
      expect(await test.exchange(code, { redirect_uri: other })).toMatchObject({ status: 200 });
    },
  );

  it.each(PATHLESS)("is stored and compared without a path as it was written: %s (RFC 9700 4.1.3)", async (uri) => {
    const code = await test.code(user.browser, { redirect_uri: uri });
    expect(await test.exchange(code, { redirect_uri: `${uri}/` })).toMatchObject({
      status: 400,
      error: "invalid_grant",
    });
    expect(await test.exchange(code, { redirect_uri: uri })).toMatchObject({ status: 200 });
    const shown = await test.authorize(user.browser, { redirect_uri: `${uri}/`, prompt: "none" });
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
  });

  it("must be sent if several are registered (RFC 6749 3.1.2.3)", async () => {
    const shown = await application.authorize(user.browser, { redirect_uri: [], prompt: "none" });
    expect([shown.status, shown.leftTo]).toEqual([400, undefined]);
  });
});
