import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tenancy } from "../../memberships/read-sale.ts";
import { matchesRedirectUri, originKey, redirectUriViolations } from "./redirect-uri.ts";

const FIELD = "definition.redirect_uris";

function ruleOf(uri: string, tenancy: Tenancy): string | undefined {
  return redirectUriViolations([uri], tenancy, FIELD)[0]?.rule;
}

describe("redirectUriViolations", () => {
  it.each([
    "https://app.example.com/callback",
    "https://app.example.com/",
    "https://app.example.com:8443/callback?tenant=1&next=%2Fhome",
    "https://app.example.com/a%2Fb/callback;v=1",
    "https://xn--bcher-kva.example/",
    "https://8.8.8.8/callback",
    "https://[2606:4700::1]/callback",
    "https://app.example.com/code?decode=1&States=x&issuer=1&errors=0",
    "https://localhost.example.com/",
    "https://notlocalhost.example/callback",
    "https://127.0.0.1.example/callback",
    "https://128.0.0.1/callback",
    "https://[2606:4700::7f00:1]/callback",
    `https://app.example.com/${"a".repeat(999)}`,
  ])("accepts %s in both tenancies", (uri) => {
    expect([ruleOf(uri, "live"), ruleOf(uri, "test")]).toEqual([undefined, undefined]);
  });

  /** Every notation of the own machine that URL parsing leaves unchanged (RFC 6761 6.3, RFC 4291 2.5, RFC 8252 8.3). */
  it.each([
    "localhost",
    "localhost.",
    "app.localhost",
    "a.b.localhost.",
    "localhost.localdomain",
    "localhost6",
    "ip6-localhost",
    "ip6-loopback",
    "127.0.0.1",
    "127.0.0.2",
    "127.1.2.3",
    "127.255.255.254",
    "0.0.0.0",
    "0.0.0.1",
    "[::1]",
    "[::]",
    "[::7f00:1]",
    "[::ffff:7f00:1]",
    "[::ffff:0:7f00:1]",
    "[::ffff:0:0]",
    "[64:ff9b::7f00:1]",
  ])("accepts the user's own machine in test tenancy only: %s", (host) => {
    for (const uri of [`https://${host}/callback`, `http://${host}:3000/callback`]) {
      expect([uri, ruleOf(uri, "live"), ruleOf(uri, "test")]).toEqual([uri, "redirect_uri.loopback", undefined]);
    }
  });

  it.each([
    "http://127.0.0.1",
    "http://localhost:3000",
    "http://[::1]:8080",
    "http://app.localhost",
    "https://localhost",
  ])("accepts %s without a path in test tenancy only", (uri) =>
    expect([ruleOf(uri, "live"), ruleOf(uri, "test")]).toEqual(["redirect_uri.loopback", undefined]),
  );

  it.each([
    "https://10.0.0.1/callback",
    "https://169.254.169.254/callback",
    "https://203.0.113.7/callback",
    "https://[fd00::1]/callback",
    "https://[::2]/callback",
    "https://[2001:db8::1]/callback",
    "https://intranet/callback",
    "https://intranet./callback",
  ])("accepts the private %s in test tenancy only", (uri) => {
    expect([ruleOf(uri, "live"), ruleOf(uri, "test")]).toEqual(["redirect_uri.private", undefined]);
  });

  it.each([
    ["redirect_uri.url", ""],
    ["redirect_uri.url", "callback"],
    ["redirect_uri.url", "/callback"],
    ["redirect_uri.url", "//app.example.com/"],
    ["redirect_uri.url", "https://"],
    ["redirect_uri.url", "https:// /"],
    ["redirect_uri.url", "https://app.example.com:99999/"],
    ["redirect_uri.url", "https://[::1/"],
    ["redirect_uri.url", "https://256.0.0.1/"],
    ["redirect_uri.scheme", "javascript:alert(1)"],
    ["redirect_uri.scheme", "data:text/html,x"],
    ["redirect_uri.scheme", "com.example.app:/callback"],
    ["redirect_uri.scheme", "myapp://callback/"],
    ["redirect_uri.scheme", "urn:ietf:wg:oauth:2.0:oob"],
    ["redirect_uri.scheme", "ftp://app.example.com/"],
    ["redirect_uri.scheme", "ws://localhost/"],
    ["redirect_uri.scheme", "file:///etc/passwd"],
    ["redirect_uri.scheme", "blob:https://app.example.com/1"],
    ["redirect_uri.fragment", "https://app.example.com/#"],
    ["redirect_uri.fragment", "https://app.example.com/#top"],
    ["redirect_uri.credentials", "https://user@app.example.com/"],
    ["redirect_uri.credentials", "https://user:pass@app.example.com/"],
    ["redirect_uri.credentials", "https://app.example.com@evil.example/"],
    ["redirect_uri.credentials", "https://user@127.0.0.1/callback"],
    ["redirect_uri.credentials", "http://user@127.0.0.1:3000/callback"],
    ["redirect_uri.url", "https://[::1%25lo]/callback"],
    ["redirect_uri.url", "http://[::1%25lo]:3000/callback"],
    ["redirect_uri.canonical", "https://@app.example.com/"],
    ["redirect_uri.canonical", "https://:@app.example.com/"],
    ["redirect_uri.wildcard", "https://*.example.com/"],
    ["redirect_uri.wildcard", "https://app.example.com/*"],
    ["redirect_uri.canonical", "https://app.example.com"],
    ["redirect_uri.canonical", "https://app.example.com?x=1"],
    ["redirect_uri.canonical", "http://localhost:3000?x=1"],
    ["redirect_uri.canonical", "http://localhost:80"],
    ["redirect_uri.canonical", "http://localhost:"],
    ["redirect_uri.canonical", "http://LOCALHOST:3000"],
    ["redirect_uri.canonical", "http://127.1:3000"],
    ["redirect_uri.canonical", "http:localhost"],
    ["redirect_uri.canonical", "http://10.0.0.1"],
    ["redirect_uri.fragment", "http://localhost:3000#"],
    ["redirect_uri.credentials", "http://user@localhost:3000"],
    ["redirect_uri.canonical", "HTTPS://app.example.com/"],
    ["redirect_uri.canonical", "https://App.example.com/"],
    ["redirect_uri.canonical", "https://app.example.com:443/"],
    ["redirect_uri.canonical", "https://app.example.com:/"],
    ["redirect_uri.canonical", "https://app.example.com:0443/"],
    ["redirect_uri.canonical", "https:app.example.com/"],
    ["redirect_uri.canonical", "https:///app.example.com/"],
    ["redirect_uri.canonical", "https:\\\\app.example.com\\"],
    ["redirect_uri.canonical", "https://app.example.com\\@evil.example/"],
    ["redirect_uri.canonical", "https://app.example.com/a/../b"],
    ["redirect_uri.canonical", "https://app.example.com/a/%2e%2E/b"],
    ["redirect_uri.canonical", "https://app.example.com/./b"],
    ["redirect_uri.canonical", "https://app.example.com/ü"],
    ["redirect_uri.canonical", "https://bücher.example/"],
    ["redirect_uri.canonical", "https://app.example.com/a b"],
    ["redirect_uri.canonical", " https://app.example.com/"],
    ["redirect_uri.canonical", "https://app.example.com/\n"],
    ["redirect_uri.canonical", "https://app.example.com/call\r\nback"],
    ["redirect_uri.canonical", "https://app.example.com/\r\nSet-Cookie:a=b"],
    ["redirect_uri.canonical", "https://app.exa\tmple.com/"],
    ["redirect_uri.canonical", 'https://app.example.com/"><script>'],
    ["redirect_uri.canonical", "https://app.example.com/?q='"],
    ["redirect_uri.query", "https://app.example.com/?code=1"],
    ["redirect_uri.query", "https://app.example.com/?a=1&state="],
    ["redirect_uri.query", "https://app.example.com/?iss"],
    ["redirect_uri.query", "https://app.example.com/?error=x"],
    ["redirect_uri.query", "https://app.example.com/?error_description=Log%20in%20at%20evil.example"],
    ["redirect_uri.query", "https://app.example.com/?a=1&error_uri=https://evil.example/"],
    ["redirect_uri.query", "https://app.example.com/?error%5Fdescription=x"],
    ...["access_token", "token_type", "expires_in", "scope", "id_token", "session_state", "response"].map(
      (name): [string, string] => ["redirect_uri.query", `https://app.example.com/?${name}=x`],
    ),
    ["redirect_uri.query", "https://app.example.com/?c%6Fde=1"],
    ["redirect_uri.host", `https://${"a".repeat(63)}.${"b.".repeat(100)}com/`],
    ["redirect_uri.length", `https://app.example.com/${"a".repeat(1_001)}`],
  ])("refuses by %s in both tenancies: %s", (rule, uri) => {
    expect([ruleOf(uri, "live"), ruleOf(uri, "test")]).toEqual([rule, rule]);
  });

  it.each(["http://app.example.com/", "http://10.0.0.1/", "http://[2001:db8::1]/", "http://localhost.example.com/"])(
    "refuses %s, which isn't encrypted",
    (uri) => {
      expect([ruleOf(uri, "live"), ruleOf(uri, "test")]).toEqual(["redirect_uri.insecure", "redirect_uri.insecure"]);
    },
  );

  it.each([
    "LOCALHOST",
    "LocalHost",
    "ｌｏｃａｌｈｏｓｔ",
    "ｌocalhost",
    "localhost。",
    "%6cocalhost",
    "loc%61lhost",
    "127.0.0.1.",
    "127.0.0.01",
    "127.0.1",
    "127.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "017700000001",
    "0177.0.0.1",
    "0",
    "0x0",
    "[0000::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::0001]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
  ])("refuses %s, another notation of the own machine, in both tenancies", (host) => {
    const rule = "redirect_uri.canonical";
    for (const uri of [`https://${host}/callback`, `http://${host}:3000/callback`]) {
      expect([uri, ruleOf(uri, "live"), ruleOf(uri, "test")]).toEqual([uri, rule, rule]);
    }
  });

  it("names the field of each, and reports repeated ones", () => {
    const uris = ["https://a.example/", "http://a.example/", "https://a.example/"];
    expect(redirectUriViolations(uris, "test", FIELD).map(({ field, rule }) => [field, rule])).toEqual([
      ["definition.redirect_uris[1]", "redirect_uri.insecure"],
      ["definition.redirect_uris[2]", "redirect_uri.doubled"],
    ]);
  });

  it("accepts at most 20", () => {
    const uris = Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`);
    expect(redirectUriViolations(uris.slice(1), "live", FIELD)).toEqual([]);
    expect(redirectUriViolations(uris, "live", FIELD)).toMatchObject([{ rule: "redirect_uris.count" }]);
  });

  it("accepts only text that is valid in a header and that URL parsing leaves unchanged", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string(), (url, tail) => {
        const uri = `${url}${tail}`;
        if (ruleOf(uri, "test") !== undefined) return;
        expect(uri).toMatch(/^https?:\/\/[!-~]+$/);
        expect(new URL(uri).href).toBe(uri);
      }),
    );
  });
});

describe("matchesRedirectUri", () => {
  const registered = ["https://app.example.com/callback", "http://127.0.0.1/cb?a=1", "http://[::1]:7000/cb"];

  it.each(registered)("accepts %s as registered", (uri) => {
    expect([matchesRedirectUri(registered, "live", uri), matchesRedirectUri(registered, "test", uri)]).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    "http://127.0.0.1:1/cb?a=1",
    "http://127.0.0.1:51004/cb?a=1",
    "http://127.0.0.1:65535/cb?a=1",
    "http://[::1]/cb",
    "http://[::1]:51004/cb",
  ])("accepts %s in test tenancy, where the port is ignored", (uri) => {
    expect([matchesRedirectUri(registered, "live", uri), matchesRedirectUri(registered, "test", uri)]).toEqual([
      false,
      true,
    ]);
  });

  it.each([
    "",
    "https://app.example.com/callback/",
    "https://app.example.com/Callback",
    "https://app.example.com/callback?",
    "https://app.example.com/callback#",
    "https://app.example.com:443/callback",
    "https://app.example.com/x/../callback",
    "https://APP.example.com/callback",
    "https://app.example.com.evil.example/callback",
    "https://app.example.com@evil.example/callback",
    "http://app.example.com/callback",
    "http://127.0.0.1:51004/cb",
    "http://127.0.0.1:51004/cb?a=1&b=2",
    "http://127.0.0.1:51004/cb?a=1#",
    "http://127.0.0.1:0/cb?a=1",
    "http://127.0.0.1:01/cb?a=1",
    "http://127.0.0.1:65536/cb?a=1",
    "http://127.0.0.1:99999/cb?a=1",
    "http://127.0.0.1:/cb?a=1",
    "http://127.0.0.1:80@evil.example/cb?a=1",
    "http://127.0.0.1.evil.example/cb?a=1",
    "http://127.0.0.2/cb?a=1",
    "http://localhost/cb?a=1",
    "https://127.0.0.1/cb?a=1",
    "http://u@127.0.0.1/cb?a=1",
    "http://[::1]:7000/CB",
    "http://[::2]:7000/cb",
  ])("refuses %s", (uri) => {
    expect(matchesRedirectUri(registered, "test", uri)).toBe(false);
  });

  it("takes a URI without a path for another one than with a path, on any port of an address", () => {
    const pathless = ["http://127.0.0.1", "http://localhost:3000", "http://[::1]:8080"];
    const isTaken = (uri: string) => matchesRedirectUri(pathless, "test", uri);
    expect(pathless.filter(isTaken)).toEqual(pathless);
    expect(["http://127.0.0.1:51004", "http://[::1]", "http://[::1]:51004"].filter((uri) => !isTaken(uri))).toEqual([]);
    const others = [
      "http://localhost",
      "http://localhost:3001",
      "http://127.0.0.1:0",
      "http://127.0.0.1:51004@evil.example",
    ];
    expect(
      [...pathless.map((uri) => `${uri}/`), "http://127.0.0.1:51004/", "http://127.0.0.1?", ...others].filter(isTaken),
    ).toEqual([]);
    const roots = pathless.map((uri) => `${uri}/`);
    expect([...pathless, "http://127.0.0.1:51004"].filter((uri) => matchesRedirectUri(roots, "test", uri))).toEqual([]);
  });

  it("refuses a URI that another port makes longer than a registered one may be", () => {
    const longest = `http://127.0.0.1/${"a".repeat(1_024 - 17)}`;
    expect(ruleOf(longest, "test")).toBeUndefined();
    expect(matchesRedirectUri([longest], "test", longest)).toBe(true);
    expect(matchesRedirectUri([longest], "test", longest.replace("127.0.0.1/", "127.0.0.1:51004/"))).toBe(false);
  });

  it("compares the port of names of this machine", () => {
    expect(matchesRedirectUri(["http://localhost:3000/"], "test", "http://localhost:3001/")).toBe(false);
  });
});

describe("originKey", () => {
  it.each([
    ["https://app.example.com", "https://app.example.com"],
    ["https://app.example.com:8443", "https://app.example.com:8443"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://127.0.0.1:3000", "http://127.0.0.1"],
    ["http://127.0.0.1", "http://127.0.0.1"],
    ["http://[::1]:3000", "http://[::1]"],
    ["https://127.0.0.1:3000", "https://127.0.0.1:3000"],
    ["http://127.0.0.1.evil.example:80", "http://127.0.0.1.evil.example:80"],
    ["null", "null"],
  ])("of %s is %s", (origin, key) => {
    expect(originKey(origin)).toBe(key);
  });
});
