import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  IdentityProvider,
  IssuedPermitSummarySchema,
  LinkedWalletSchema,
  SetupState,
  WalletKind,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { EntityDecisionSchema } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PEER } from "../../services/auth/testing/account-client.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { type AuthGateway, CLIENT_ID, startAuthGateway } from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { FakeOwnEntities, fakeEntity, LINKED_WALLET, OWN_PERSON } from "../testing/fake-own-entities.ts";
import { PageBrowser } from "../testing/page-browser.ts";

const at = timestampFromMs(Date.UTC(2027, 0, 31, 12, 0, 0, 900));
const AT = "2027-01-31T12:00:00Z";
const PATHS = ["/account/data", "/account/data.json"];

let own: FakeOwnEntities;
let gateway: AuthGateway;
let browser: PageBrowser;
beforeAll(async () => {
  own = new FakeOwnEntities();
  gateway = await startAuthGateway({}, undefined, own.clients);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  own.failures.clear();
  browser = new PageBrowser(gateway.origin);
  browser.cookies.set("tidemark-session", await gateway.auth.signIn());
});

describe("the person's data", () => {
  it("is announced by a page, to which the account leads", async () => {
    expect((await browser.open("/account")).html).toContain('href="/account/data"');
    const { status, html } = await browser.open("/account/data");
    expect([status, html]).toEqual([200, expect.stringContaining('href="/account/data.json"')]);
    expect(html).toContain("purchase permits");
  });

  it("is a file with every field that the services know", async () => {
    const approved = { setupState: SetupState.COMPLETE, approvedBy: IdentityProvider.REVIEW, approvalExpiresAt: at };
    own.entities = [fakeEntity({ ...approved, country: "DE" })];
    const bound = { address: LINKED_WALLET, linkedAt: at, boundSaleUuids: [SALE] };
    own.wallets = [create(LinkedWalletSchema, { kind: WalletKind.EVM, ...bound })];
    own.sales = [
      {
        saleUuid: SALE,
        entityUuid: OWN_PERSON,
        saleSpecificEntityId: new Uint8Array(16).fill(10),
        presenceProvedAt: at,
      },
    ];
    const permit = { wallet: LINKED_WALLET, clientUuid: CLIENT_ID, issuedAt: at, expiresAt: at };
    own.permits = [create(IssuedPermitSummarySchema, { saleUuid: SALE, entityUuid: OWN_PERSON, ...permit })];
    own.hidden.set(CLIENT_ID, [OWN_PERSON]);
    own.decisions = [
      create(EntityDecisionSchema, { entityUuid: OWN_PERSON, decidedAt: at, approved: true, approvalExpiresAt: at }),
      create(EntityDecisionSchema, { entityUuid: OWN_PERSON, decidedAt: at, final: true }),
    ];
    const { people } = gateway.auth;
    await people.ownerOfPasskey(USER);
    const { sessionToken } = await people.signInByPasskey();
    await gateway.application.code(sessionToken);
    await people.accounts.beginRecovery({
      proof: { proof: { case: "sessionToken", value: await gateway.auth.signIn() } },
    });
    browser.cookies.set("tidemark-session", sessionToken);
    const { headers, html: text } = await browser.open("/account/data.json");
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("content-disposition")).toBe('attachment; filename="account-data.json"');
    expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual(["no-store", "nosniff"]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { Account, Sessions, Passkeys, PasskeyRequired, Recovery, Applications, Events, ...rest } = JSON.parse(text);
    expect(Account).toEqual({ AccountUUID: expect.any(String), Email: "alice@example.org", CreatedAt: time });
    expect(Sessions).toContainEqual({
      SessionUUID: expect.any(String),
      Browser: expect.any(String),
      ...{ SignedInAt: time, LastSeenAt: time, ExpiresAt: time },
      Current: true,
    });
    expect([PasskeyRequired, Recovery]).toEqual([false, { BegunAt: time, ReadyAt: time, ExpiresAt: time }]);
    expect(Passkeys).toEqual([
      {
        ...{ PasskeyUUID: expect.any(String), Name: "My key", CredentialID: expect.any(String) },
        ...{
          AuthenticatorModel: "00000000-0000-0000-0000-000000000000",
          Transports: ["internal", "hybrid"],
          BackupEligible: false,
          BackedUp: false,
          Counter: 1,
        },
        ...{ AddedAt: time, LastUsedAt: time },
      },
    ]);
    expect(Applications).toEqual([
      {
        ...{ ClientUUID: CLIENT_ID, Name: expect.any(String), SaleUUID: SALE, UpdatedAt: time },
        ...{ GrantedScopes: expect.any(Array), DeclinedScopes: expect.any(Array) },
      },
    ]);
    const signedIn = { At: time, Event: "sign_in.completed", Address: PEER.address };
    const allowed = { At: time, Event: "code.issued", ClientUUID: CLIENT_ID, SaleUUID: SALE };
    expect(Events).toEqual(expect.arrayContaining([signedIn, allowed]));
    expect(rest).toEqual({
      Entities: [
        {
          ...{ EntityUUID: OWN_PERSON, EntityType: "person", Label: "Alice Harbour", Country: "DE" },
          ...{ SetupState: "complete", ApprovedBy: "review", ApprovalExpiresAt: AT, CreatedAt: "2026-10-01T00:00:00Z" },
          Wallets: [{ Kind: "evm", Address: LINKED_WALLET, LinkedAt: AT, BoundSaleUUIDs: [SALE] }],
          Sales: [
            {
              SaleUUID: SALE,
              EntityID: OWN_PERSON,
              SaleSpecificEntityID: `0x${"0a".repeat(16)}`,
              PresenceProvedAt: AT,
            },
          ],
        },
      ],
      Permits: [
        {
          ...{ SaleUUID: SALE, EntityUUID: OWN_PERSON, Wallet: LINKED_WALLET, ClientUUID: CLIENT_ID },
          ...{ IssuedAt: AT, ExpiresAt: AT },
        },
      ],
      HiddenEntities: [{ ClientUUID: CLIENT_ID, EntityUUID: OWN_PERSON }],
      Decisions: [
        { EntityUUID: OWN_PERSON, DecidedAt: AT, Approved: true, ApprovalExpiresAt: AT },
        { EntityUUID: OWN_PERSON, DecidedAt: AT, Approved: false, Final: true },
      ],
    });
  });

  it("isn't given in part while the entities service is away", async () => {
    own.failures.set("ExportAccount", new ConnectError("away", Code.Unavailable));
    const { status, headers, html } = await browser.open("/account/data.json");
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(headers.get("content-disposition")).toBeNull();
    expect(headers.get("cache-control")).toBe("no-store");
    expect(html).toContain("We can’t answer at the moment");
  });

  it.each(PATHS)("wants a recent sign-in, which leads to the page: %s", async (path) => {
    browser.cookies.clear();
    expect((await browser.open(path)).path).toBe("/sign-in?next=data");
    browser.cookies.set("tidemark-session", await gateway.auth.signIn({ ageMs: 3_600_000 }));
    expect((await browser.open(path)).path).toBe("/sign-in?next=data&again=1");
  });

  it("has no entities where nobody takes part", async () => {
    const plain = await startAuthGateway();
    const other = new PageBrowser(plain.origin);
    other.cookies.set("tidemark-session", await plain.auth.signIn());
    expect((await other.open("/account/data")).html).not.toContain("permits");
    const { html: text } = await other.open("/account/data.json");
    expect(Object.keys(JSON.parse(text))).toEqual([
      "Account",
      "Sessions",
      "Passkeys",
      "PasskeyRequired",
      "Applications",
      "Events",
    ]);
    await plain.stop();
  });
});
