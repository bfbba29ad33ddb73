import { beforeAll, expect, it } from "vitest";
import { Tenancy } from "../../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { definitionInit } from "../../../../services/auth/testing/sample-application.ts";
import { describeAuthWeb } from "../../../support/pages/auth-web.ts";
import type { AuthClients } from "../../../support/processes/auth-clients.ts";
import type { AuthFixture } from "../../../support/processes/auth-fixture.ts";
import { auction, refusal } from "../../../support/sales/sale-messages.ts";

/** Every notation of the own machine that URL parsing leaves unchanged (RFC 6761 6.3, RFC 4291 2.5, RFC 8252 8.3). */
const OWN_MACHINE = [
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
];

/** Notations of the own machine that URL parsing changes. No tenancy accepts them (WHATWG URL 3.5). */
const NEVER = [
  "LOCALHOST",
  "LocalHost",
  "loc%61lhost",
  "ｌocalhost",
  "localhost。",
  "127.1",
  "127.0.1",
  "127.0.0.1.",
  "2130706433",
  "017700000001",
  "0x7f000001",
  "0x7f.1",
  "0177.0.0.1",
  "127.0.0.01",
  "0",
  "0x0",
  "[0:0:0:0:0:0:0:1]",
  "[::0001]",
  "[::ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "[0000::1]",
  "[::1%25lo]",
  "１２７.0.0.1",
  "127。0。0。1",
  "user@127.0.0.1",
];

/** URIs that no tenancy accepts (RFC 9700 2.1, 4.1; RFC 8252 8.4). */
const UNFIT: readonly (readonly [attack: string, uri: string])[] = [
  ["a scheme of its own", "com.example.app:/callback"],
  ["javascript", "javascript:alert(1)"],
  ["data", "data:text/html,hello"],
  ["a file", "file:///etc/passwd"],
  ["http to elsewhere", "http://app.example/callback"],
  ["a fragment", "https://app.example/callback#a"],
  ["a bare fragment", "https://app.example/callback#"],
  ["a user", "https://user@app.example/callback"],
  ["a wildcard host", "https://*.app.example/callback"],
  ["a wildcard path", "https://app.example/*"],
  ["a query that forges the code", "https://app.example/callback?code=mine"],
  ["a query that forges the state", "https://app.example/callback?state=mine"],
  ["a query that forges the issuer", "https://app.example/callback?iss=mine"],
  ["a query that forges an error", "https://app.example/callback?error=mine"],
  ["a query that forges the text of an error", "https://app.example/callback?error_description=mine"],
  ["a query that forges a page about an error", "https://app.example/callback?error_uri=https://evil.example/"],
  ["a query that forges a token", "https://app.example/callback?access_token=mine"],
  ["a query that forges the code, encoded", "https://app.example/callback?c%6Fde=mine"],
  ["no path", "https://app.example"],
  ["a traversal", "https://app.example/a/../callback"],
  ["a backslash", "https://app.example\\callback"],
  ["a default port", "https://app.example:443/callback"],
  ["an upper-case host", "https://App.example/callback"],
  ["a space", " https://app.example/callback"],
  ["a line break", "https://app.example/call\r\nback"],
  ["a line break for a header", "https://app.example/\r\nSet-Cookie:a=b"],
  ["no URL", "callback"],
  ["a relative one", "//app.example/callback"],
];

const TENANCIES = { live: Tenancy.LIVE, test: Tenancy.TEST } as const;
type TenancyName = keyof typeof TENANCIES;

/** A founder's sale and its client. */
interface Registration {
  readonly founder: AuthClients;
  readonly saleUuid: string;
  readonly clientUuid: string;
}

describeAuthWeb("the registration of a redirect URI", (web) => {
  const registrations = new Map<TenancyName, Registration>();
  beforeAll(async () => {
    for (const name of ["live", "test"] as const) registrations.set(name, await registration(web().service, name));
  });
  const of = (tenancy: TenancyName) => registrations.get(tenancy) ?? expect.fail("it is there within a test only");

  it.each(OWN_MACHINE)("accepts the user's own machine in test tenancy only: %s (RFC 8252 8.3)", async (host) => {
    for (const uri of [`https://${host}/callback`, `http://${host}:3000/callback`]) {
      expect([uri, await created(of("live"), uri), await changed(of("live"), uri)]).toEqual([uri, REFUSED, REFUSED]);
      expect([uri, await changed(of("test"), uri)]).toEqual([uri, "ok"]);
    }
  });

  it.each(NEVER)("accepts no other notation of it: %s (WHATWG URL 3.5)", async (host) => {
    for (const uri of [`https://${host}/callback`, `http://${host}:3000/callback`]) {
      for (const tenancy of ["live", "test"] as const) {
        expect([uri, await created(of(tenancy), uri), await changed(of(tenancy), uri)]).toEqual([
          uri,
          REFUSED,
          REFUSED,
        ]);
      }
    }
  });

  it.each(UNFIT)("refuses %s (RFC 9700 2.1)", async (_, uri) => {
    for (const tenancy of ["live", "test"] as const) {
      expect([await created(of(tenancy), uri), await changed(of(tenancy), uri)]).toEqual([REFUSED, REFUSED]);
    }
  });

  it("accepts hosts that only look like the own machine", async () => {
    for (const host of [
      "localhost.example",
      "notlocalhost.example",
      "127.0.0.1.example",
      "128.0.0.1",
      "[2606:4700::7f00:1]",
    ]) {
      expect([host, await changed(of("live"), `https://${host}/callback`)]).toEqual([host, "ok"]);
    }
  });
});

const REFUSED = "invalid_argument";

async function registration(service: AuthFixture, name: TenancyName): Promise<Registration> {
  const owner = await service.signIn(`${name}@example.com`);
  const { sales } = await service.saleClientsOf(owner);
  const { sale } = await sales.createSale({ tenancy: TENANCIES[name], definition: auction() });
  const [founder, saleUuid] = [await service.asPerson(owner), sale?.uuid ?? ""];
  const { client } = await founder.clients.createClient({ saleUuid, definition: definitionInit() });
  return { founder, saleUuid, clientUuid: client?.uuid ?? "" };
}

/** `ok`, or the error code. */
async function created({ founder, saleUuid }: Registration, uri: string): Promise<string> {
  return outcome(founder.clients.createClient({ saleUuid, definition: definitionInit({ redirectUris: [uri] }) }));
}

async function changed({ founder, clientUuid }: Registration, uri: string): Promise<string> {
  const { client } = await founder.clients.getClient({ clientUuid });
  const definition = definitionInit({ redirectUris: [uri] });
  return outcome(founder.clients.updateClient({ clientUuid, definition, expectedVersion: client?.version ?? 0n }));
}

async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "ok",
    async () => (await refusal(call)).code,
  );
}
