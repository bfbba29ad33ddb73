import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { sendList } from "../../../common/internal-api/send-list.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { MEMBER_CSV_HEADER, memberCsv } from "../../../common/sale/csv/member-csv.ts";
import { readMembers } from "../../../common/sale/csv/read-members.ts";
import { SaleEventKind } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { GroupMember, GroupMemberSchema } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { Role } from "../../../services/auth/testing/founder-fixture.ts";
import { GROUP_UUID, sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { onlyCodeBlock } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { type OwnedSale, ownedSale, sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { refusal } from "../../support/sales/sale-messages.ts";

const OTHER_GROUP = "00000000-0000-4000-8000-000000000002";
const groups = [sampleGroup(), sampleGroup({ uuid: OTHER_GROUP, name: "Early" })];

type MemberInit = Exclude<MessageInitShape<typeof GroupMemberSchema>, { $typeName: string }>;

const byEmail = (value: string, given: MemberInit = {}): MemberInit => ({
  groupUuid: GROUP_UUID,
  key: { case: "email", value },
  ...given,
});
const byWallet = (value: string, given: MemberInit = {}): MemberInit => ({
  groupUuid: GROUP_UUID,
  key: { case: "wallet", value },
  ...given,
});
const byEntity = (byte: number): MemberInit => ({
  groupUuid: GROUP_UUID,
  key: { case: "saleSpecificEntityId", value: new Uint8Array(16).fill(byte) },
});
async function* chunksOf(text: string) {
  yield Buffer.from(text);
}
const addressOf = (byte: string) => `0x${byte.repeat(20)}`;

describeEntities("the members of a sale", (service) => {
  async function saleWithGroups(): Promise<OwnedSale> {
    const sale = await ownedSale(service(), "owner");
    const rules = sampleRulesMessage({ groups, enabled: false });
    await sale.eligibility.updateRules({ saleUuid: sale.saleUuid, rules, expectedVersion: 0n });
    return sale;
  }

  const keysOf = (members: readonly GroupMember[]) =>
    members.map(({ key, groupUuid, minAmount, maxAmount }) => ({ value: key.value, groupUuid, minAmount, maxAmount }));

  async function exported({ saleUuid, eligibility }: OwnedSale): Promise<{ total: bigint; members: GroupMember[] }> {
    const members: GroupMember[] = [];
    let total = -1n;
    for await (const part of eligibility.exportMembers({ saleUuid })) {
      if (total < 0n) total = part.total;
      members.push(...part.members);
    }
    return { total, members };
  }

  it("are imported, listed and exported exactly", async () => {
    const sale = await saleWithGroups();
    const { saleUuid, eligibility } = sale;
    const largest = (2n ** 256n - 1n).toString();
    const members = [
      byEmail("Anna@Example.com", { minAmount: "1", maxAmount: largest }),
      byWallet(addressOf("ab")),
      byEntity(7),
      byEmail("anna@example.com", { groupUuid: OTHER_GROUP.toUpperCase() }),
    ];
    const dryRun = await eligibility.importMembers({ saleUuid, members, dryRun: true });
    expect(dryRun).toMatchObject({ stored: 4, unchanged: 0, problems: [] });
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ memberCount: 0n });
    expect(await eligibility.importMembers({ saleUuid, members })).toMatchObject({ stored: 4, unchanged: 0 });
    const listed = (await eligibility.listMembers({ saleUuid })).members;
    expect(keysOf(listed)).toHaveLength(4);
    expect(keysOf(listed)).toEqual(
      expect.arrayContaining([
        { value: "anna@example.com", groupUuid: GROUP_UUID, minAmount: "1", maxAmount: largest },
        { value: "0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB", groupUuid: GROUP_UUID, minAmount: "", maxAmount: "" },
        { value: new Uint8Array(16).fill(7), groupUuid: GROUP_UUID, minAmount: "", maxAmount: "" },
        { value: "anna@example.com", groupUuid: OTHER_GROUP, minAmount: "", maxAmount: "" },
      ]),
    );
    expect(await exported(sale)).toEqual({ total: 4n, members: listed });
    expect(await eligibility.importMembers({ saleUuid, members: listed })).toMatchObject({ stored: 0, unchanged: 4 });
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ memberCount: 4n });
  });

  it("have each key in a group once: another row replaces its bounds", async () => {
    const { saleUuid, eligibility } = await saleWithGroups();
    const send = (...members: MemberInit[]) => eligibility.importMembers({ saleUuid, members });
    await send(byEmail("a@example.com"));
    const answer = await send(byEmail("A@EXAMPLE.COM", { maxAmount: "5" }), byEmail("b@example.com"));
    expect(answer).toMatchObject({ stored: 2, unchanged: 0 });
    expect((await eligibility.listMembers({ saleUuid, search: "a@example.com" })).members).toMatchObject([
      { maxAmount: "5" },
    ]);
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ memberCount: 2n });
    const twice = await send(byEmail("c@example.com"), byEmail("C@example.com", { maxAmount: "1" }));
    expect(twice).toMatchObject({ stored: 1, problems: [{ row: 1, field: "email" }] });
  });

  it("are counted once, however many imports of the same rows run at once", async () => {
    const { saleUuid, eligibility } = await saleWithGroups();
    const members = Array.from({ length: 100 }, (_, index) => byEmail(`m${index}@example.com`));
    await Promise.all([1, 2, 3, 4].map(() => eligibility.importMembers({ saleUuid, members })));
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ memberCount: 100n });
    expect((await eligibility.listMembers({ saleUuid, pageSize: 500 })).members).toHaveLength(100);
  });

  it("have their problems named by row and column, and the others stored", async () => {
    const { saleUuid, eligibility } = await saleWithGroups();
    const members = [
      byEmail("no address"),
      byWallet("0x12"),
      byWallet(addressOf("ab").replace("ab", "Ab")),
      byEmail("a@example.com", { groupUuid: randomUUID() }),
      byEmail("a@example.com", { minAmount: "2", maxAmount: "1" }),
      byEmail("a@example.com", { maxAmount: (2n ** 256n).toString() }),
      { groupUuid: GROUP_UUID },
      byEmail("fine@example.com"),
    ];
    const { stored, problems } = await eligibility.importMembers({ saleUuid, members });
    expect(stored).toBe(1);
    expect(problems.map(({ row, field }) => [row, field])).toEqual([
      [0, "email"],
      [1, "wallet"],
      [2, "wallet"],
      [3, "group"],
      [4, "max_amount"],
      [5, "max_amount"],
      [6, "email"],
    ]);
  });

  it("are found by e-mail address, wallet and entity ID, by group, and page by page", async () => {
    const { saleUuid, eligibility } = await saleWithGroups();
    const members = [
      ...Array.from({ length: 7 }, (_, index) => byEmail(`m${index}@example.com`, { groupUuid: OTHER_GROUP })),
      byWallet(addressOf("cd")),
      byEntity(9),
    ];
    await eligibility.importMembers({ saleUuid, members });
    const found = async (search: string) => (await eligibility.listMembers({ saleUuid, search })).members.length;
    expect(await found("M3@Example.com")).toBe(1);
    expect(await found("m3@example.co")).toBe(0);
    expect(await found(` ${addressOf("cd")} `)).toBe(1);
    expect(await found(`0x${"09".repeat(16)}`)).toBe(1);
    expect(await found("<script>")).toBe(0);
    const pages: string[][] = [];
    for (let pageToken = ""; ; ) {
      const page = await eligibility.listMembers({ saleUuid, groupUuid: OTHER_GROUP, pageSize: 3, pageToken });
      pages.push(page.members.map(({ uuid }) => uuid));
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    const whole = await eligibility.listMembers({ saleUuid, groupUuid: OTHER_GROUP, pageSize: 7 });
    expect([whole.members.length, whole.nextPageToken]).toEqual([7, ""]);
    expect(pages.flat()).toEqual([...new Set(pages.flat())].toSorted());
    expect((await refusal(eligibility.listMembers({ saleUuid, pageToken: "x" }))).code).toBe("invalid_argument");
  });

  it("are removed, as often as it is said", async () => {
    const { saleUuid, eligibility } = await saleWithGroups();
    await eligibility.importMembers({ saleUuid, members: [byEmail("a@example.com"), byEmail("b@example.com")] });
    const [first] = (await eligibility.listMembers({ saleUuid })).members;
    const memberUuids = [first?.uuid ?? "", randomUUID()];
    expect(await eligibility.removeMembers({ saleUuid, memberUuids })).toMatchObject({ removed: 1 });
    expect(await eligibility.removeMembers({ saleUuid, memberUuids })).toMatchObject({ removed: 0 });
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ memberCount: 1n });
  });

  it("are for members of the sale by their role, and a founder of one sale reads and changes nothing of another", async () => {
    const sale = await saleWithGroups();
    const { saleUuid } = sale;
    await sale.eligibility.importMembers({ saleUuid, members: [byEmail("secret@example.com")] });
    const other = await saleWithGroups();
    const { members } = await sale.eligibility.listMembers({ saleUuid });
    const memberUuids = members.map(({ uuid }) => uuid);
    const viewerEmail = `viewer-${saleUuid}@example.com`;
    const founders = await service().auth.asPerson(sale.owner);
    await founders.memberships.setMember({ saleUuid, email: viewerEmail, role: Role.VIEWER });
    const viewer = (await service().asPerson(await service().auth.signIn(viewerEmail))).eligibility;
    const reads = (eligibility: typeof viewer) => [
      eligibility.listMembers({ saleUuid }),
      exported({ ...sale, eligibility }),
      eligibility.listDenyList({ saleUuid }),
    ];
    const writes = (eligibility: typeof viewer) => [
      eligibility.importMembers({ saleUuid, members: [byEmail("x@example.com")] }),
      eligibility.removeMembers({ saleUuid, memberUuids }),
      eligibility.changeDenyList({ saleUuid, wallets: [addressOf("ab")] }),
    ];
    const codes = (calls: Promise<unknown>[]) => Promise.all(calls.map(async (call) => (await refusal(call)).code));
    expect(await codes([...reads(other.eligibility), ...writes(other.eligibility)])).toEqual(
      Array(6).fill("not_found"),
    );
    await Promise.all(reads(viewer));
    expect(await codes(writes(viewer))).toEqual(Array(3).fill("permission_denied"));
    // The UUIDs of another sale's members mean nothing in one's own.
    const removal = await other.eligibility.removeMembers({ saleUuid: other.saleUuid, memberUuids });
    expect(removal.removed).toBe(0);
    expect((await sale.eligibility.listMembers({ saleUuid })).members).toHaveLength(1);
    await other.eligibility.importMembers({ saleUuid: other.saleUuid, members: [byEmail("secret@example.com")] });
    expect((await other.eligibility.listMembers({ saleUuid: other.saleUuid })).members[0]?.uuid).not.toBe(
      memberUuids[0],
    );
  });

  it("have e-mail addresses that neither the database nor the log holds as text", async () => {
    const { saleUuid, eligibility } = await saleWithGroups();
    const members = [byEmail("hidden.address@example.com"), byEmail("hidden.address@", { maxAmount: "1" })];
    await eligibility.importMembers({ saleUuid, members });
    await eligibility.listMembers({ saleUuid, search: "hidden.address@example.com" });
    const rows = await service()
      .database.query.selectFrom("group_member")
      .selectAll()
      .where("sale", "=", bytesOfHex(saleUuid))
      .execute();
    expect(rows).toHaveLength(1);
    const stored = rows
      .map((row) =>
        Object.values(row)
          .map((value) => Buffer.from(String(value)).toString())
          .join(" "),
      )
      .join();
    expect(Buffer.from(rows[0]?.key_value ?? []).includes("hidden")).toBe(false);
    expect(stored).not.toContain("hidden");
    expect(JSON.stringify(service().log, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toContain(
      "hidden.address",
    );
  });

  it("make one entry of the activity log for an import in many parts", async () => {
    const { saleUuid, owner, eligibility } = await saleWithGroups();
    for (const name of ["a", "b", "c"]) {
      await eligibility.importMembers({ saleUuid, members: [byEmail(`${name}@example.com`)] });
    }
    const { memberships } = await service().auth.asPerson(owner);
    const { events } = await memberships.listSaleEvents({ saleUuid });
    const imports = events.filter(({ kind }) => kind === SaleEventKind.PARTICIPANTS_CHANGED);
    expect(imports).toMatchObject([{ changes: [{ field: "Members", before: "0", after: "being imported" }] }]);
  });

  it("come from a file as docs/taking-part.md shows it, and again from an export without a difference", async () => {
    const sale = await ownedSale(service(), "owner");
    const { saleUuid, eligibility } = sale;
    const named = [sampleGroup({ name: "Early" }), sampleGroup({ uuid: OTHER_GROUP, name: "Partners" })];
    const rules = sampleRulesMessage({ groups: named, enabled: false });
    await eligibility.updateRules({ saleUuid, rules, expectedVersion: 0n });
    const context = { groups: named, decimals: 6 };
    const send = async (text: string, dryRun = false) => {
      const rows = async function* () {
        for await (const line of readMembers(chunksOf(text), context)) {
          yield "member" in line ? { line: line.line, row: line.member } : line;
        }
      };
      const parts = sendList(rows(), (members) =>
        eligibility.importMembers({ saleUuid, members: [...members] as MemberInit[], dryRun }),
      );
      const progress = await Array.fromAsync(parts);
      return progress.at(-1);
    };
    const file = onlyCodeBlock(readRepository("docs/taking-part.md"), "csv");
    expect(await send(file, true)).toMatchObject({ stored: 3, refused: 0 });
    expect(await send(file)).toMatchObject({ stored: 3, unchanged: 0, refused: 0 });
    expect(await send(file)).toMatchObject({ stored: 0, unchanged: 3, refused: 0 });
    const before = await exported(sale);
    expect(await send(MEMBER_CSV_HEADER + memberCsv(before.members, context))).toMatchObject({
      unchanged: 3,
      refused: 0,
    });
    expect(before.members.map(({ maxAmount }) => maxAmount).toSorted()).toEqual(["", "", "5000500000"]);
  });

  it("have a deny list beside them, of which each wallet is listed once", async () => {
    const { saleUuid, eligibility } = await saleWithGroups();
    const wallets = [addressOf("03"), addressOf("01"), "0x1", addressOf("02"), addressOf("01")];
    const change = (given: object = {}) => eligibility.changeDenyList({ saleUuid, wallets, ...given });
    const dryRun = await change({ dryRun: true });
    expect(dryRun.problems.map(({ row }) => row)).toEqual([2, 4]);
    expect(await change()).toMatchObject({ changed: 3, unchanged: 0 });
    expect(await change()).toMatchObject({ changed: 0, unchanged: 3 });
    const first = await eligibility.listDenyList({ saleUuid, pageSize: 2 });
    const second = await eligibility.listDenyList({ saleUuid, pageSize: 2, pageToken: first.nextPageToken });
    expect([...first.wallets, ...second.wallets]).toEqual(["01", "02", "03"].map(addressOf));
    expect(second.nextPageToken).toBe("");
    expect((await eligibility.listDenyList({ saleUuid, pageSize: 3 })).nextPageToken).toBe("");
    expect(await change({ remove: true, wallets: [addressOf("02")] })).toMatchObject({ changed: 1 });
    expect(await eligibility.getRules({ saleUuid })).toMatchObject({ denyListCount: 2n });
  });
});
