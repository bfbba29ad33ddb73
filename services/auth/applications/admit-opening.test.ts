import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";
import { LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";
import { pngImage } from "../testing/images.ts";
import { definitionInit as definition } from "../testing/sample-application.ts";

const TWO_MINUTES_MS = 120_000;

let fixture: FounderFixture;
let owner: Person;
let saleUuid: string;

beforeEach(async () => {
  fixture = await founderFixture();
  saleUuid = await fixture.sale({ owner: Role.OWNER, editor: Role.EDITOR }, { name: "Harbour" });
  owner = await fixture.person("owner");
});

async function readyClient(): Promise<string> {
  const { client } = await fixture.operator.clients.createClient({ saleUuid, definition: definition() });
  const clientUuid = client?.uuid ?? "";
  for (const [shape, width] of [
    [LogoShape.SQUARE, 32],
    [LogoShape.WIDE, 96],
  ] as const) {
    const image = new Uint8Array(pngImage(width, 32));
    await fixture.operator.clients.setLogo({ clientUuid, shape, image });
  }
  return clientUuid;
}

const admit = (opener: object = {}) => fixture.commitments.memberships.admitOpening({ saleUuid, ...opener });
const by = ({ accountUuid }: Person, msAgo = 0) => ({
  accountUuid,
  authenticatedAt: timestampFromMs(Number(fixture.context.clock()) - msAgo),
});

describe("admitOpening", () => {
  it("says what the client lacks", async () => {
    await expect(admit()).rejects.toThrow("it has none");
    await fixture.operator.clients.createClient({ saleUuid, definition: definition({ name: "Half" }) });
    await expect(admit()).rejects.toThrow(/Half has no square logo and has no wide logo$/);
    await readyClient();
    expect(await refusalOf(admit())).toBeUndefined();
  });

  it("is for an owner with a recent sign-in, or the operator", async () => {
    await readyClient();
    expect(await refusalOf(admit(by(await fixture.person("stranger"))))).toBe("not_found");
    expect(await refusalOf(admit(by(await fixture.person("editor"))))).toBe("permission_denied");
    expect(await refusalOf(admit(by(owner, 600_001)))).toBe("failed_precondition");
    expect(await refusalOf(admit({ accountUuid: owner.accountUuid }))).toBe("failed_precondition");
    expect(await refusalOf(admit(by(owner)))).toBeUndefined();
    expect(await refusalOf(owner.memberships.admitOpening({ saleUuid }))).toBe("permission_denied");
  });

  it("mails the owners", async () => {
    await readyClient();
    const before = fixture.mails.length;
    await admit(by(owner));
    expect(fixture.mails.slice(before)).toMatchObject([{ to: owner.email, subject: "A sale was opened" }]);
  });
});

describe("the last ready client", () => {
  let clientUuid: string;
  const disable = () => owner.clients.disableClient({ clientUuid });
  const change = (definitionChange: Parameters<typeof definition>[0], expectedVersion = 3n) =>
    owner.clients.updateClient({ clientUuid, expectedVersion, definition: definition(definitionChange) });
  const optional = definition().scopes.map((scope) => ({ ...scope, required: false }));
  beforeEach(async () => {
    clientUuid = await readyClient();
  });

  it("may be weakened before any opening", async () => {
    expect(await refusalOf(change({ scopes: optional }))).toBeUndefined();
    expect(await refusalOf(disable())).toBeUndefined();
  });

  it.each([SaleStatus.OPEN, SaleStatus.SETTLED])(
    "may not be weakened in a sale of status %i, in any way",
    async (status) => {
      await admit();
      fixture.sales.set(saleUuid, { status });
      fixture.context.time.advance(TWO_MINUTES_MS);
      const fresh = await fixture.person("owner");
      owner = fresh;
      expect(await refusalOf(disable())).toBe("failed_precondition");
      expect(await refusalOf(change({ scopes: optional }))).toBe("failed_precondition");
      expect(await refusalOf(change({ scopes: [] }))).toBe("failed_precondition");
      expect(await refusalOf(change({ redirectUris: [] }))).toBe("failed_precondition");
      expect(await refusalOf(fixture.operator.clients.disableClient({ clientUuid }))).toBe("failed_precondition");
    },
  );

  it.each([SaleStatus.OPEN, SaleStatus.SETTLED])(
    "may not go from a sale of status %i that was opened without auth",
    async (status) => {
      fixture.sales.set(saleUuid, { status });
      expect(await refusalOf(disable())).toBe("failed_precondition");
      expect(await refusalOf(change({ scopes: optional }))).toBe("failed_precondition");
    },
  );

  it("may be changed if it stays ready, or another client is ready", async () => {
    await admit();
    fixture.sales.set(saleUuid, { status: SaleStatus.OPEN });
    expect(await refusalOf(change({ name: "Renamed", redirectUris: ["https://b.example/"] }))).toBeUndefined();
    await readyClient();
    expect(await refusalOf(disable())).toBeUndefined();
  });

  it("may not be weakened while an opening may be under way", async () => {
    await admit();
    fixture.context.time.advance(TWO_MINUTES_MS - 1);
    expect(await refusalOf(disable())).toBe("failed_precondition");
  });

  it("may be weakened once the opening has failed, and is free afterwards", async () => {
    await admit();
    fixture.context.time.advance(TWO_MINUTES_MS);
    expect(await refusalOf(disable())).toBeUndefined();
    expect(await refusalOf(admit())).toBe("failed_precondition");
    await owner.clients.enableClient({ clientUuid });
    expect(await refusalOf(disable())).toBeUndefined();
  });

  it.each([Code.Unavailable, Code.DeadlineExceeded])(
    "waits for the commitments service where it fails with %i",
    async (code) => {
      await admit();
      fixture.context.time.advance(TWO_MINUTES_MS);
      fixture.sales.failure = code;
      expect(await refusalOf(disable())).toBe("unavailable");
      fixture.sales.failure = undefined;
      expect(await refusalOf(disable())).toBeUndefined();
    },
  );
});
