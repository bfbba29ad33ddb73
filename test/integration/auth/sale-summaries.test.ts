import { randomUUID } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { newApplication } from "../../support/applications/auth-application.ts";
import { type AuthFixture, describeAuth, type SignedIn } from "../../support/processes/auth-fixture.ts";
import { violatedFields } from "../../support/sales/sale-messages.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const newEmail = () => `${randomUUID()}@example.com`;

async function addMember({ database }: AuthFixture, saleUuid: string, { accountUuid }: SignedIn): Promise<void> {
  const row = { sale: bytesOfHex(saleUuid), account: bytesOfHex(accountUuid), role: "viewer" as const };
  await database.query.insertInto("member").values(row).execute();
}

describeAuth("what lists of sales show", (service) => {
  it("has the clients of the sales that a person is a member of, and what each lacks", async () => {
    const fit = await newApplication(service());
    const { saleUuid } = fit.client;
    await newApplication(service(), {
      saleUuid,
      definition: { ...fit.client.definition, name: "Second", redirectUris: [] },
    });
    const other = await newApplication(service());
    const person = await service().signIn(newEmail());
    await addMember(service(), saleUuid, person);
    const request = { saleUuids: [saleUuid, other.client.saleUuid, randomUUID()] };
    const { clients } = await service().asPerson(person);
    const { sales } = await clients.listClientSummaries(request);
    expect(sales.map((sale) => sale.saleUuid)).toEqual([saleUuid]);
    const stored = (await service().clients.listClients({ saleUuid })).clients;
    expect(sales[0]?.clients).toMatchObject(
      stored.map(({ uuid, definition, obstacles, openingRequirements }) => ({
        ...{ clientUuid: uuid, name: definition?.name, obstacles, openingRequirements },
      })),
    );
    expect(sales[0]?.clients.flatMap(({ obstacles }) => obstacles)).toEqual(["has no redirect URI"]);
    expect((await service().clients.listClientSummaries(request)).sales).toHaveLength(3);
    expect((await clients.countSignIns(request)).sales.map((sale) => sale.saleUuid)).toEqual([saleUuid]);
    for (const saleUuids of [[], Array.from({ length: 51 }, () => randomUUID())]) {
      expect(await violatedFields(clients.listClientSummaries({ saleUuids }))).toEqual(["sale_uuids"]);
      expect(await violatedFields(clients.countSignIns({ saleUuids }))).toEqual(["sale_uuids"]);
    }
  });

  it("has a person's roles in many sales", async () => {
    const [sale, other] = [randomUUID(), randomUUID()];
    const person = await service().signIn(newEmail());
    await addMember(service(), sale, person);
    const { memberships } = service().as("commitments");
    const { accountUuid } = person;
    const found = await memberships.getRoles({ accountUuid, saleUuids: [other, sale.toUpperCase()] });
    expect(found.memberships).toMatchObject([{ saleUuid: sale, role: Role.VIEWER }]);
  });

  it("counts sign-ins by day, each exchanged code once, also those of hours that were counted before", async () => {
    const { time } = service();
    const application = await newApplication(service());
    const { saleUuid } = application.client;
    const elsewhere = await newApplication(service());
    const expected = new Map<number, number>();
    const counted = async () => {
      const { sales } = await service().clients.countSignIns({ saleUuids: [saleUuid] });
      return (sales[0]?.days ?? []).map(({ day, signIns }) => [day && timestampMs(day), Number(signIns)]);
    };
    expect(await counted()).toEqual([]);
    for (const waitedMs of [0, 50 * MINUTE_MS, 70 * MINUTE_MS, 2 * HOUR_MS, 5 * MINUTE_MS, 30 * HOUR_MS, HOUR_MS]) {
      time.advance(waitedMs);
      const session = await service().signIn(newEmail());
      const code = await application.code(session.sessionToken);
      await application.exchange(code);
      await application.exchange(code);
      await elsewhere.tokens(session.sessionToken);
      const day = Math.floor(Number(time.now()) / DAY_MS) * DAY_MS;
      expected.set(day, (expected.get(day) ?? 0) + 1);
      expect(await counted()).toEqual([...expected]);
      expect(await counted()).toEqual([...expected]);
    }
    time.advance(29 * DAY_MS);
    expect(await counted()).toEqual([[...expected].at(-1)]);
    const kept = await service().database.query.selectFrom("sign_in_hour").selectAll().execute();
    expect(kept.length).toBeGreaterThan(3);
    expect(Object.keys(kept[0] ?? {}).toSorted()).toEqual(["counted", "hour_ms", "sale"]);
  });
});
