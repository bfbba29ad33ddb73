import { beforeAll, expect, it } from "vitest";
import { Tenancy } from "../../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { definitionInit } from "../../../../services/auth/testing/sample-application.ts";
import { describeAuthWeb } from "../../../support/pages/auth-web.ts";
import type { AuthClients } from "../../../support/processes/auth-clients.ts";
import type { AuthFixture } from "../../../support/processes/auth-fixture.ts";
import { auction, refusal } from "../../../support/sales/sale-messages.ts";

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

  it("accepts the user's own machine in test tenancy only (RFC 8252 8.3)", async () => {
    const uri = "http://127.0.0.1:3000/callback";
    expect([await created(of("live"), uri), await changed(of("live"), uri)]).toEqual([REFUSED, REFUSED]);
    expect([await created(of("test"), uri), await changed(of("test"), uri)]).toEqual(["ok", "ok"]);
  });

  it("refuses an unfit one in either tenancy (RFC 9700 2.1)", async () => {
    const uri = "https://app.example/callback?code=mine";
    for (const tenancy of ["live", "test"] as const) {
      expect([await created(of(tenancy), uri), await changed(of(tenancy), uri)]).toEqual([REFUSED, REFUSED]);
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
