import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AlertReason } from "../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import {
  EntityType,
  IdentityProvider,
  SetupState,
  WalletKind,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { ReviewEntryKind } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PEER } from "../../services/auth/testing/account-client.ts";
import type { Application } from "../../services/auth/testing/application.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import {
  CLIENT_ID,
  type FullGateway,
  harbourPortal,
  startAuthGateway,
  startFullGateway,
} from "../testing/auth-gateway.ts";
import { SALE } from "../testing/fake-commitments.ts";
import { PageBrowser } from "../testing/page-browser.ts";

const at = timestampFromMs(Date.UTC(2027, 0, 31, 12, 0, 0, 900));
const AT = "2027-01-31T12:00:00Z";
const PERSON = "31313131-3131-4131-8131-313131313131";
const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const PATHS = ["/account/data", "/account/data.json"];

let gateway: FullGateway;
let application: Application;
let browser: PageBrowser;
beforeAll(async () => {
  gateway = await startFullGateway();
  application = await harbourPortal(gateway.auth);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.entities.faults.reset();
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
    const createdAt = timestampFromMs(Date.UTC(2026, 9, 1));
    const person = { uuid: PERSON, type: EntityType.PERSON, label: "Alice Harbour", country: "DE", createdAt };
    const saleSpecificEntityId = new Uint8Array(16).fill(10);
    const permit = { wallet: WALLET, clientUuid: CLIENT_ID, issuedAt: at, expiresAt: at };
    // With every field, for which the service needs years and a whole sale.
    gateway.entities.faults.answers.set("ExportAccount", {
      entities: [
        {
          entity: { ...person, ...approved, openQuestion: "Which register?" },
          wallets: [
            { kind: WalletKind.EVM, address: WALLET, linkedAt: at, boundSaleUuids: [SALE], chainIds: [8_453n] },
          ],
          sales: [{ saleUuid: SALE, entityUuid: PERSON, saleSpecificEntityId, presenceProvedAt: at }],
          questions: [
            { kind: ReviewEntryKind.ANSWER, text: "Vienna.", at },
            { kind: ReviewEntryKind.QUESTION, text: "Which register?", at },
          ],
        },
      ],
      permits: [{ saleUuid: SALE, entityUuid: PERSON, ...permit }],
      hiddenEntities: [{ clientUuid: CLIENT_ID, entityUuid: PERSON }],
      decisions: [
        { entityUuid: PERSON, decidedAt: at, approved: true, approvalExpiresAt: at },
        { entityUuid: PERSON, decidedAt: at, final: true },
        { entityUuid: PERSON, decidedAt: at, asked: true },
      ],
      alerts: [{ saleUuid: SALE, reasons: [AlertReason.POSITION, AlertReason.SETTLED] }],
    });
    const { people } = gateway.auth;
    await people.ownerOfPasskey(USER);
    const { sessionToken } = await people.signInByPasskey();
    await application.code(sessionToken);
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
          ...{ EntityUUID: PERSON, EntityType: "person", Label: "Alice Harbour", Country: "DE" },
          OpenQuestion: "Which register?",
          ...{ SetupState: "complete", ApprovedBy: "review", ApprovalExpiresAt: AT, CreatedAt: "2026-10-01T00:00:00Z" },
          Wallets: [
            {
              Kind: "evm",
              Address: WALLET,
              LinkedAt: AT,
              BoundSaleUUIDs: [SALE],
              CountsEverywhere: false,
              ChainIDs: ["8453"],
            },
          ],
          Sales: [
            {
              SaleUUID: SALE,
              EntityID: PERSON,
              SaleSpecificEntityID: `0x${"0a".repeat(16)}`,
              PresenceProvedAt: AT,
            },
          ],
          Questions: [
            { Kind: "answer", Text: "Vienna.", At: AT },
            { Kind: "question", Text: "Which register?", At: AT },
          ],
        },
      ],
      Permits: [
        {
          ...{ SaleUUID: SALE, EntityUUID: PERSON, Wallet: WALLET, ClientUUID: CLIENT_ID },
          ...{ IssuedAt: AT, ExpiresAt: AT },
        },
      ],
      HiddenEntities: [{ ClientUUID: CLIENT_ID, EntityUUID: PERSON }],
      Alerts: [{ SaleUUID: SALE, Reasons: ["position", "settled"] }],
      Decisions: [
        { EntityUUID: PERSON, DecidedAt: AT, Approved: true, ApprovalExpiresAt: AT },
        { EntityUUID: PERSON, DecidedAt: AT, Approved: false, Final: true },
        { EntityUUID: PERSON, DecidedAt: AT, Asked: true },
      ],
    });
  });

  it("isn't given in part while the entities service is away", async () => {
    gateway.entities.faults.failures.set("ExportAccount", new ConnectError("away", Code.Unavailable));
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
