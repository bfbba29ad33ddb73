import { once } from "node:events";
import { request } from "node:http";
import { beforeAll, expect, it, vi } from "vitest";
import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { createFitClient } from "../support/applications/fit-client.ts";
import { describeAuthWeb, SESSION_COOKIE, type WebUser } from "../support/pages/auth-web.ts";
import { SOON } from "../support/repository/polling.ts";
import { amountOf, apply, draftSale, idBytes, record, USDX, WALLET } from "../support/sales/sale-messages.ts";

const ROWS = 20_000;
const BATCH = 5_000;
/** No page, text or connection holds as much as these rows have. */
const EXTRA_DATA = new Uint8Array(1_024).fill(7);
const HEADER =
  "entity_id,wallet,token,commitment_id,created_at,price_ticks,lockup,amount,refunded,active,extra_data,accepted,paid_back\r\n";

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString("hex")}`;
const isRefunded = (number: number) => number % 3 === 0;

/** Worked out from what was applied. */
function lineOf(number: number): string {
  const ids = [hex(idBytes(number, 16)), WALLET, USDX, hex(idBytes(number))];
  const figures = ["2026-01-31T12:00:00Z", "10", "false", `${number + 1}`, `${isRefunded(number)}`];
  return `${[...ids, ...figures, `${!isRefunded(number)}`, hex(EXTRA_DATA), "", ""].join(",")}\r\n`;
}

describeAuthWeb("the export of a sale's commitments", (web) => {
  let saleUuid: string;
  let viewer: WebUser;
  beforeAll(async () => {
    const { service } = web();
    saleUuid = await draftSale(service.commitments);
    await createFitClient(service, saleUuid);
    await service.commitments.sales.openSale({ saleUuid });
    viewer = await web().user();
    await service.memberships.setMember({ saleUuid, email: viewer.email, role: Role.VIEWER });
    for (let first = 0; first < ROWS; first += BATCH) {
      const upserts = Array.from({ length: BATCH }, (_, index) => {
        const number = first + index;
        const amounts = [amountOf(BigInt(number + 1))];
        return record(number, { amounts, refunded: isRefunded(number), extraData: EXTRA_DATA });
      });
      await apply(service.commitments, saleUuid, { upserts });
    }
  });

  const pathOf = (uuid: string) => `/dashboard/sales/${uuid}/commitments.csv`;
  const cookieOf = ({ sessionToken }: { readonly sessionToken: string }) => `${SESSION_COOKIE}=${sessionToken}`;
  const get = (user?: WebUser, { method = "GET", uuid = saleUuid } = {}) =>
    fetch(web().origin + pathOf(uuid), {
      method,
      redirect: "manual",
      headers: user === undefined ? {} : { cookie: cookieOf(user) },
    });

  it("has each of them exactly, for a member of any role", async () => {
    const answer = await get(viewer);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/csv; charset=utf-8; header=present",
    ]);
    expect(answer.headers.get("content-disposition")).toMatch(
      new RegExp(`^attachment; filename="commitments-${saleUuid}-\\d+\\.csv"$`),
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const expected = HEADER + Array.from({ length: ROWS }, (_, number) => lineOf(number)).join("");
    // Compared as a whole: a difference of this size is not to be printed.
    expect((await answer.text()) === expected).toBe(true);
  });

  it("has each of them for people, in whole tokens and a time zone", async () => {
    const answer = await fetch(
      `${web().origin}/dashboard/sales/${saleUuid}/commitments-for-people.csv?zone=Europe/Berlin`,
      {
        headers: { cookie: cookieOf(viewer) },
      },
    );
    expect(answer.headers.get("content-disposition")).toMatch(
      /filename="commitments-for-people-[0-9a-f-]{36}-\d+\.csv"$/,
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    const lines = bytes.toString("utf8").split("\r\n");
    expect(lines).toHaveLength(ROWS + 2);
    expect(lines[0]).toMatch(/^\ufeffTime \(Europe\/Berlin\),Ahead of UTC,Wallet,Amount,Symbol,Price /);
    const [entity, id] = [hex(idBytes(123, 16)), hex(idBytes(123))];
    const start = `2026-01-31 13:00:00,UTC+01:00,${WALLET},0.000124,,`;
    expect(lines[124]).toBe(`${start}10000000000,no,yes,no,${entity},${id},${USDX},,`);
  });

  it("knows time zones by their names only", async () => {
    for (const zone of ["Europe/Atlantis", "%2B01:00", "=1"]) {
      const path = `/dashboard/sales/${saleUuid}/commitments-for-people.csv?zone=${zone}`;
      expect((await fetch(web().origin + path, { headers: { cookie: cookieOf(viewer) } })).status).toBe(400);
    }
  });

  it("answers a HEAD with the same headers, and holds nothing for it", async () => {
    for (let time = 0; time < 3; time++) {
      await vi.waitFor(async () => expect((await get(viewer, { method: "HEAD" })).status).toBe(200), SOON);
    }
  });

  it("isn't there for others, for a sale that isn't there, and for who hasn't signed in", async () => {
    const stranger = await web().user();
    expect((await get(stranger)).status).toBe(404);
    expect((await get(viewer, { uuid: "00000000-0000-4000-8000-000000000000" })).status).toBe(404);
    expect((await get(viewer, { uuid: "1" })).status).toBe(404);
    expect((await get(viewer, { method: "POST" })).status).toBe(405);
    const signIn = await get();
    expect([signIn.status, signIn.headers.get("location")]).toEqual([303, "/sign-in"]);
  });

  /** Begins to read, once what was under way before has ended. */
  function openUnread() {
    return vi.waitFor(async () => {
      const reader = request(web().origin + pathOf(saleUuid), { headers: { cookie: cookieOf(viewer) }, agent: false });
      reader.on("error", () => undefined);
      reader.end();
      const [response] = await once(reader, "response");
      if (response.statusCode !== 200) reader.destroy();
      expect(response.statusCode).toBe(200);
      return reader;
    }, SOON);
  }

  it("is given up when its reader goes: then there is room for another one", async () => {
    // The one that a person may have, of which nobody takes more than the beginning.
    const reader = await openUnread();
    const refused = await get(viewer);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    reader.destroy();
    await vi.waitFor(async () => {
      const answer = await get(viewer);
      await answer.body?.cancel();
      expect(answer.status).toBe(200);
    }, SOON);
  });
});
