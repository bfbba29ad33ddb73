import { generateKeyPairSync, randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { ClientStatus, LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";
import { definitionInit as definition } from "../testing/sample-application.ts";
import { isRegisteredOrigin } from "./applications-store.ts";

let fixture: FounderFixture;
let owner: Person;
let saleUuid: string;

beforeEach(async () => {
  fixture = await founderFixture();
  saleUuid = await fixture.sale({ owner: Role.OWNER }, { name: "Harbour", tenancy: Tenancy.LIVE });
  owner = await fixture.person("owner");
});

const KEYS = JSON.stringify({
  keys: [{ ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }), kid: "backend" }],
});
const EMAIL_REQUIRED = [{ scope: "contact_email", required: true }];

const create = (request: object = {}) => owner.clients.createClient({ saleUuid, definition: definition(), ...request });
/** The origins in alphabetical order. */
const auditOf = async (clientUuid: string) => {
  const { query } = fixture.context.database;
  const rows = await query.selectFrom("audit").select("event").where("client", "=", bytesOfHex(clientUuid)).execute();
  return rows.map(({ event }) => event).toSorted();
};

describe("createClient", () => {
  it("creates a client of the sale's tenancy that says what it lacks", async () => {
    const { client } = await create();
    expect(client).toMatchObject({
      saleUuid,
      testTenancy: false,
      status: ClientStatus.ACTIVE,
      definition: definition(),
      version: 1n,
      obstacles: ["has no square logo", "has no wide logo"],
    });
    expect((await owner.clients.getClient({ clientUuid: client?.uuid ?? "" })).client).toEqual(client);
    expect((await owner.clients.listClients({ saleUuid })).clients).toEqual([client]);
    expect(await auditOf(client?.uuid ?? "")).toEqual(["client.created"]);
  });

  it("can be repeated; the UUID is taken for any other client", async () => {
    const clientUuid = randomUUID();
    const { client } = await create({ clientUuid: clientUuid.toUpperCase() });
    expect(client?.uuid).toBe(clientUuid);
    expect((await create({ clientUuid })).client).toEqual(client);
    expect(await refusalOf(create({ clientUuid, definition: definition({ name: "Other" }) }))).toBe("already_exists");
    const otherSale = await fixture.sale({ owner: Role.OWNER });
    expect(await refusalOf(create({ clientUuid, saleUuid: otherSale }))).toBe("already_exists");
    expect(await auditOf(clientUuid)).toEqual(["client.created"]);
  });

  it("checks the definition against the sale's tenancy", async () => {
    const local = definition({ redirectUris: ["http://localhost:3000/callback"] });
    expect(await refusalOf(create({ definition: local }))).toBe("invalid_argument");
    const testSale = await fixture.sale({ owner: Role.OWNER }, { tenancy: Tenancy.TEST });
    expect((await create({ saleUuid: testSale, definition: local })).client?.testTenancy).toBe(true);
  });

  it("needs an existing sale", async () => {
    const request = { saleUuid: randomUUID(), definition: definition() };
    expect(await refusalOf(fixture.operator.clients.createClient(request))).toBe("not_found");
    fixture.sales.failure = Code.Unavailable;
    expect(await refusalOf(create())).toBe("unavailable");
  });

  it("creates at most 20 clients of a sale", async () => {
    for (let count = 0; count < 20; count += 1) await create();
    expect(await refusalOf(create())).toBe("failed_precondition");
    expect((await owner.clients.listClients({ saleUuid })).clients).toHaveLength(20);
  });
});

describe("updateClient", () => {
  const update = (clientUuid: string, expectedVersion: bigint, change: Parameters<typeof definition>[0]) =>
    owner.clients.updateClient({ clientUuid, expectedVersion, definition: definition(change) });
  let clientUuid: string;
  beforeEach(async () => {
    clientUuid = (await create()).client?.uuid ?? "";
  });

  it("replaces the definition and stores the sale's present name", async () => {
    fixture.sales.set(saleUuid, { name: "Harbour 2" });
    const { client } = await update(clientUuid, 1n, { name: " Renamed " });
    expect(client).toMatchObject({ version: 2n, definition: definition({ name: "Renamed" }) });
    const { rows } = {
      rows: await fixture.context.database.query.selectFrom("client").select("sale_name").execute(),
    };
    expect(rows).toEqual([{ sale_name: "Harbour 2" }]);
    expect(await auditOf(clientUuid)).toEqual(["client.changed", "client.created"]);
  });

  it("works while the commitments service is away", async () => {
    fixture.sales.failure = Code.Unavailable;
    expect((await update(clientUuid, 1n, { name: "Renamed" })).client?.version).toBe(2n);
  });

  it("records who changed it, and from where", async () => {
    const peer = { address: "192.0.2.7" };
    await owner.clients.updateClient({
      clientUuid,
      expectedVersion: 1n,
      definition: definition({ name: "New" }),
      peer,
    });
    const { query } = fixture.context.database;
    const row = await query
      .selectFrom("audit")
      .selectAll()
      .where("event", "=", "client.changed")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(row.details)).toEqual({
      version: "2",
      redirect_uris: false,
      by: owner.accountUuid,
      address: "192.0.2.7",
      changes: [{ field: "Name", before: "Portal", after: "New" }],
    });
  });

  it("changes nothing if the definition is the same", async () => {
    expect((await update(clientUuid, 1n, {})).client?.version).toBe(1n);
    expect(await auditOf(clientUuid)).toEqual(["client.created"]);
  });

  it("refuses a change of another version", async () => {
    await update(clientUuid, 1n, { name: "Renamed" });
    expect(await refusalOf(update(clientUuid, 1n, { name: "Other" }))).toBe("aborted");
    expect(await refusalOf(update(clientUuid, 3n, { name: "Other" }))).toBe("aborted");
  });

  it("stores the origins of the registered URIs, and no others", async () => {
    const { database } = fixture.context;
    const known = (origin: string) => isRegisteredOrigin(database, origin);
    expect([await known("https://app.example"), await known("https://b.example")]).toEqual([true, false]);
    const redirectUris = ["https://b.example/x", "https://b.example/y"];
    await update(clientUuid, 1n, { redirectUris });
    expect([await known("https://app.example"), await known("https://b.example")]).toEqual([false, true]);
    await owner.clients.disableClient({ clientUuid });
    expect(await known("https://b.example")).toBe(false);
    await owner.clients.enableClient({ clientUuid });
    expect(await known("https://b.example")).toBe(true);
  });

  it("mails all owners about new redirect URIs, and nobody about a new name", async () => {
    await fixture.operator.memberships.setMember({ saleUuid, email: "second@example.com", role: Role.OWNER });
    await fixture.operator.memberships.setMember({ saleUuid, email: "editor@example.com", role: Role.EDITOR });
    const before = fixture.mails.length;
    await update(clientUuid, 1n, { name: "Renamed" });
    expect(fixture.mails).toHaveLength(before);
    await update(clientUuid, 2n, { name: "Renamed", redirectUris: ["https://b.example/x"] });
    const mails = fixture.mails.slice(before);
    expect(mails.map(({ to }) => to).toSorted()).toEqual(["owner@example.com", "second@example.com"]);
    expect(mails[0]?.text).toContain("https://b.example/x");
    expect(mails[0]?.text).toContain("done by owner@example.com");
  });
});

describe("a change of whether users must give their e-mail addresses", () => {
  const optional = [{ scope: "contact_email", required: false }];
  const change = (person: Person, clientUuid: string, expectedVersion: bigint, scopes: typeof optional) =>
    person.clients.updateClient({ clientUuid, expectedVersion, definition: definition({ scopes }) });
  const noticed = (before: number) =>
    fixture.mails.slice(before).filter(({ subject }) => subject === "An application requires e-mail addresses");

  it("is mailed to the owners when they must", async () => {
    const clientUuid = (await create({ definition: definition({ scopes: optional }) })).client?.uuid ?? "";
    const before = fixture.mails.length;
    await change(owner, clientUuid, 1n, EMAIL_REQUIRED);
    expect(noticed(before)).toMatchObject([
      { to: owner.email, text: expect.stringContaining("The application “Portal” of the sale “Harbour”") },
    ]);
    await create({ definition: definition({ redirectUris: [], scopes: EMAIL_REQUIRED }) });
    expect(noticed(before)).toHaveLength(2);
  });

  it("is neither mailed nor needs a recent sign-in when they already had to, or no longer must", async () => {
    const clientUuid = (await create({ definition: definition({ scopes: EMAIL_REQUIRED }) })).client?.uuid ?? "";
    const before = fixture.mails.length;
    const late = await fixture.person("owner", 600_001);
    const more = [...EMAIL_REQUIRED, { scope: "read_entities", required: true }];
    await change(late, clientUuid, 1n, more);
    await change(late, clientUuid, 2n, optional);
    expect(await refusalOf(change(late, clientUuid, 3n, more))).toBe("failed_precondition");
    expect(noticed(before)).toEqual([]);
  });
});

describe("security settings", () => {
  const change = (person: Person, clientUuid: string, expectedVersion: bigint, security?: object) =>
    person.clients.updateClient({ clientUuid, expectedVersion, definition: { ...definition(), security } });

  it("are stored, and kept by an update that has none", async () => {
    const clientUuid = (await create()).client?.uuid ?? "";
    const strong = {
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
      idTokenSignedResponseAlg: "ES256",
      tokenEndpointAuthMethod: "private_key_jwt",
      jwks: KEYS,
      postLogoutRedirectUris: ["https://app.example/bye"],
    };
    const { client } = await change(owner, clientUuid, 1n, strong);
    const stored = client?.definition?.security;
    expect(stored).toMatchObject({ ...strong, jwks: expect.stringContaining('"kid":"backend"') });
    expect((await change(owner, clientUuid, 2n)).client).toMatchObject({
      version: 2n,
      definition: { security: stored },
    });
    const renamed = await owner.clients.updateClient({
      clientUuid,
      expectedVersion: 2n,
      definition: { ...definition({ name: "Renamed" }), security: undefined },
    });
    expect(renamed.client).toMatchObject({ version: 3n, definition: { name: "Renamed", security: stored } });
    expect((await owner.clients.getClient({ clientUuid })).client?.definition?.security).toEqual(stored);
  });

  it("are mailed to the owners when they get weaker, with what changed", async () => {
    const clientUuid = (await create()).client?.uuid ?? "";
    const before = fixture.mails.length;
    await change(owner, clientUuid, 1n, { requirePushedAuthorizationRequests: true });
    expect(fixture.mails).toHaveLength(before);
    await change(owner, clientUuid, 2n, {});
    expect(fixture.mails.slice(before)).toMatchObject([
      { to: owner.email, subject: "The security of an application was changed" },
    ]);
    expect(fixture.mails[before]?.text).toContain("“Pushed authorization requests”: now “optional”, before “required”");
  });

  it.each([
    ["algorithm", { idTokenSignedResponseAlg: "none" }],
    ["method", { tokenEndpointAuthMethod: "client_secret_basic" }],
    ["keys", { jwks: '{"keys":[{"kty":"oct"}]}' }],
    ["URI", { postLogoutRedirectUris: ["http://app.example/"] }],
  ])("are refused with another %s", async (_, security) => {
    expect(await refusalOf(create({ definition: { ...definition(), security } }))).toBe("invalid_argument");
  });

  it("of an open sale may get stronger, and weaker with an owner's recent sign-in", async () => {
    const clientUuid = (await create()).client?.uuid ?? "";
    fixture.sales.set(saleUuid, { status: SaleStatus.OPEN });
    await fixture.operator.memberships.setMember({ saleUuid, email: "editor@example.com", role: Role.EDITOR });
    const [editor, late] = [await fixture.person("editor"), await fixture.person("owner", 600_001)];
    await change(editor, clientUuid, 1n, { dpopBoundAccessTokens: true });
    expect(await refusalOf(change(editor, clientUuid, 2n, {}))).toBe("permission_denied");
    expect(await refusalOf(change(late, clientUuid, 2n, {}))).toBe("failed_precondition");
    expect((await change(owner, clientUuid, 2n, {})).client?.version).toBe(3n);
  });
});

describe("disableClient and enableClient", () => {
  it("mail the owners about the client that was disabled, once", async () => {
    const clientUuid = (await create()).client?.uuid ?? "";
    const before = fixture.mails.length;
    await owner.clients.disableClient({ clientUuid });
    await owner.clients.disableClient({ clientUuid });
    await owner.clients.enableClient({ clientUuid });
    expect(fixture.mails.slice(before)).toMatchObject([{ to: owner.email, subject: "An application was disabled" }]);
  });

  it("switch the status, and record each change once", async () => {
    const clientUuid = (await create()).client?.uuid ?? "";
    for (const version of [2n, 2n]) {
      const { client } = await owner.clients.disableClient({ clientUuid });
      expect(client).toMatchObject({ status: ClientStatus.DISABLED, version });
      expect(client?.obstacles[0]).toBe("is disabled");
    }
    const { client } = await owner.clients.enableClient({ clientUuid });
    expect(client).toMatchObject({ status: ClientStatus.ACTIVE, version: 3n });
    expect(await auditOf(clientUuid)).toEqual(["client.created", "client.disabled", "client.enabled"]);
  });

  it("revokes the tokens of a disabled client", async () => {
    const clientUuid = (await create()).client?.uuid ?? "";
    const generation = async () => {
      const row = await fixture.context.database.query
        .selectFrom("client")
        .select("token_generation")
        .executeTakeFirst();
      return BigInt(row?.token_generation ?? -1);
    };
    expect(await generation()).toBe(0n);
    await owner.clients.disableClient({ clientUuid });
    await owner.clients.enableClient({ clientUuid });
    await owner.clients.updateClient({ clientUuid, expectedVersion: 3n, definition: definition({ name: "Later" }) });
    expect(await generation()).toBe(1n);
  });
});

describe("permissions", () => {
  const changes = (person: Person, clientUuid: string) => ({
    get: () => person.clients.getClient({ clientUuid }),
    list: () => person.clients.listClients({ saleUuid }),
    create: () => person.clients.createClient({ saleUuid, definition: definition({ redirectUris: [] }) }),
    createWithRedirectUris: () => person.clients.createClient({ saleUuid, definition: definition() }),
    rename: () =>
      person.clients.updateClient({ clientUuid, expectedVersion: 1n, definition: definition({ name: "Renamed" }) }),
    changeRedirectUris: () =>
      person.clients.updateClient({
        clientUuid,
        expectedVersion: 1n,
        definition: definition({ redirectUris: ["https://evil.example/"] }),
      }),
    setLogo: () => person.clients.setLogo({ clientUuid, shape: LogoShape.WIDE, image: new Uint8Array(1) }),
    createRequiringEmail: () =>
      person.clients.createClient({ saleUuid, definition: definition({ redirectUris: [], scopes: EMAIL_REQUIRED }) }),
    requireEmail: () =>
      person.clients.updateClient({
        clientUuid,
        expectedVersion: 1n,
        definition: definition({ scopes: EMAIL_REQUIRED }),
      }),
    changeKeys: () =>
      person.clients.updateClient({
        clientUuid,
        expectedVersion: 1n,
        definition: { ...definition(), security: { jwks: KEYS } },
      }),
    requireDpop: () =>
      person.clients.updateClient({
        clientUuid,
        expectedVersion: 1n,
        definition: { ...definition(), security: { dpopBoundAccessTokens: true } },
      }),
    disable: () => person.clients.disableClient({ clientUuid }),
    enable: () => person.clients.enableClient({ clientUuid }),
  });
  const ALL = Object.keys(changes({} as Person, "")) as (keyof ReturnType<typeof changes>)[];
  const READS = ["get", "list"];
  const OWNERS = ["createWithRedirectUris", "changeRedirectUris", "changeKeys"];
  const RECENT = [...OWNERS, "createRequiringEmail", "requireEmail", "disable"];

  async function refusals(person: Person): Promise<Record<string, string | undefined>> {
    const refused: Record<string, string | undefined> = {};
    for (const name of ALL) {
      const { client } = await fixture.operator.clients.createClient({ saleUuid, definition: definition() });
      refused[name] = await refusalOf(changes(person, client?.uuid ?? "")[name]());
    }
    return refused;
  }

  it.each([
    ["stranger", undefined, () => "not_found"],
    ["viewer", Role.VIEWER, (name: string) => (READS.includes(name) ? undefined : "permission_denied")],
    ["editor", Role.EDITOR, (name: string) => (OWNERS.includes(name) ? "permission_denied" : undefined)],
    ["owner", Role.OWNER, () => undefined],
  ] as const)("a %s", async (name, role, expected) => {
    if (role !== undefined)
      await fixture.operator.memberships.setMember({ saleUuid, email: `${name}@example.com`, role });
    const found = await refusals(await fixture.person(name));
    // The content is no image.
    const setLogo = expected("setLogo") ?? "invalid_argument";
    expect(found).toEqual({ ...Object.fromEntries(ALL.map((call) => [call, expected(call)])), setLogo });
  });

  it("an owner who signed in more than ten minutes ago may do nothing that redirects, stops or exposes users", async () => {
    const late = await fixture.person("owner", 600_001);
    const found = await refusals(late);
    const refused = Object.keys(found).filter((name) => found[name] === "failed_precondition");
    expect(refused.toSorted()).toEqual(RECENT.toSorted());
  });

  it("a call for no person is refused, except for logos", async () => {
    const { clients } = fixture.as("gateway");
    expect(await refusalOf(clients.listClients({ saleUuid }))).toBe("unauthenticated");
    expect(await refusalOf(clients.createClient({ saleUuid, definition: definition() }))).toBe("unauthenticated");
    expect(await refusalOf(clients.getLogo({ logo: "00".repeat(32) }))).toBe("not_found");
    expect(await refusalOf(fixture.commitments.clients.listClients({ saleUuid }))).toBe("permission_denied");
  });

  it("a client of a foreign sale looks like one that doesn't exist", async () => {
    const { client } = await create();
    const stranger = await fixture.person("stranger");
    for (const clientUuid of [client?.uuid ?? "", randomUUID()]) {
      await expect(stranger.clients.getClient({ clientUuid })).rejects.toThrow(`there is no client ${clientUuid}`);
    }
  });
});
