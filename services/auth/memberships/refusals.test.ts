import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { RateLimits } from "../base/rate-limits.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";
import { definitionInit as definition } from "../testing/sample-application.ts";

const TEN_MINUTES_MS = 600_000;

let fixture: FounderFixture;
let time: FakeClock;
let saleUuid: string;
let stranger: Person;
let viewer: Person;

beforeEach(async () => {
  const database = await openAuthDatabase();
  time = new FakeClock();
  const rateLimits = new RateLimits({ database, clock: time.now, counterKey: Buffer.alloc(32), enabled: true });
  fixture = await founderFixture({ database, clock: time.now, rateLimits });
  saleUuid = await fixture.sale({ owner: Role.OWNER, viewer: Role.VIEWER });
  stranger = await fixture.person("stranger");
  viewer = await fixture.person("viewer");
});

async function refusals({ accountUuid }: Person) {
  const rows = await fixture.context.database.query
    .selectFrom("audit")
    .select(["sale", "details"])
    .where("event", "=", "sale.access_refused")
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
  return rows.map(({ sale, details }) => ({ sale: sale && uuidFromBytes(sale), ...JSON.parse(details) }));
}

describe("a refused attempt on a sale", () => {
  it("of a stranger is recorded, also on one of its clients", async () => {
    expect(await refusalOf(stranger.memberships.listMembers({ saleUuid }))).toBe("not_found");
    expect(await refusals(stranger)).toEqual([{ sale: saleUuid, needed: "viewer", role: "none" }]);
    const { client } = await fixture.operator.clients.createClient({ saleUuid, definition: definition() });
    const clientUuid = client?.uuid ?? "";
    expect(await refusalOf(stranger.clients.disableClient({ clientUuid }))).toBe("not_found");
    expect(await refusals(stranger)).toContainEqual({ sale: saleUuid, needed: "editor", role: "none" });
  });

  it("of a member whose role allows less is recorded, with both roles", async () => {
    const change = { saleUuid, email: "friend@example.com", role: Role.OWNER };
    expect(await refusalOf(viewer.memberships.setMember(change))).toBe("permission_denied");
    expect(await refusals(viewer)).toEqual([{ sale: saleUuid, needed: "owner", role: "viewer" }]);
    expect(await refusalOf(viewer.memberships.listMembers({ saleUuid }))).toBeUndefined();
    expect(await refusals(viewer)).toHaveLength(1);
  });

  it("of a page or at another service is recorded", async () => {
    expect(await refusalOf(viewer.memberships.checkRole({ saleUuid, role: Role.EDITOR }))).toBe("permission_denied");
    expect(await refusalOf(viewer.memberships.checkRole({ saleUuid, role: Role.VIEWER }))).toBeUndefined();
    const { accountUuid } = stranger;
    const ask = (neededRole?: Role) =>
      fixture.commitments.memberships.getRole({ saleUuid, accountUuid, ...(neededRole && { neededRole }) });
    expect(await ask()).toMatchObject({ role: Role.UNSPECIFIED });
    expect(await refusals(stranger)).toEqual([]);
    expect(await ask(Role.OWNER)).toMatchObject({ role: Role.UNSPECIFIED });
    expect(await refusals(viewer)).toEqual([{ sale: saleUuid, needed: "editor", role: "viewer" }]);
    expect(await refusals(stranger)).toEqual([{ sale: saleUuid, needed: "owner", role: "none" }]);
  });

  it("is recorded alike for a sale that doesn't exist", async () => {
    const unknown = randomUUID();
    expect(await refusalOf(stranger.memberships.listMembers({ saleUuid: unknown }))).toBe("not_found");
    expect(await refusals(stranger)).toEqual([{ sale: unknown, needed: "viewer", role: "none" }]);
  });

  it("is recorded once in ten minutes for the same person, sale and role", async () => {
    for (let count = 0; count < 5; count += 1) await refusalOf(stranger.memberships.listMembers({ saleUuid }));
    expect(await refusals(stranger)).toHaveLength(1);
    time.advance(TEN_MINUTES_MS);
    await refusalOf(stranger.memberships.listMembers({ saleUuid }));
    expect(await refusals(stranger)).toHaveLength(2);
  });

  it("is recorded at most thirty times an hour for one person, and refused all the same", async () => {
    for (let count = 0; count < 40; count += 1) {
      expect(await refusalOf(stranger.memberships.listMembers({ saleUuid: randomUUID() }))).toBe("not_found");
    }
    expect(await refusals(stranger)).toHaveLength(30);
    await refusalOf(viewer.memberships.listMembers({ saleUuid: randomUUID() }));
    expect(await refusals(viewer)).toHaveLength(1);
  });

  it("isn't shown to the members of the sale", async () => {
    await refusalOf(stranger.memberships.listMembers({ saleUuid }));
    const { events } = await viewer.memberships.listSaleEvents({ saleUuid });
    expect(events.map(({ by }) => by?.accountUuid)).not.toContain(stranger.accountUuid);
  });
});
