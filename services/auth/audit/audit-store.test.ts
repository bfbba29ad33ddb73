import { expect, it } from "vitest";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import { recordEvent } from "./audit-store.ts";

const ACCOUNT = "22222222-2222-4222-8222-222222222222";

it("keeps events in the order of time, with bounded details", async () => {
  const { query } = await openAuthDatabase();
  await recordEvent(
    query,
    { event: "session.ended", accountUuid: ACCOUNT, details: { reason: "r".repeat(2_000) } },
    2n,
  );
  await recordEvent(query, { event: "key.rotated" }, 1n);
  const rows = await query.selectFrom("audit").selectAll().orderBy("event_id").execute();
  expect(rows.map(({ event, at_ms }) => [event, at_ms])).toEqual([
    ["key.rotated", 1n],
    ["session.ended", 2n],
  ]);
  expect(rows[0]).toMatchObject({ account: null, client: null, sale: null, details: "{}" });
  expect(hexOfBytes(rows[1]?.account ?? new Uint8Array())).toBe(ACCOUNT.replaceAll("-", ""));
  expect(JSON.parse(rows[1]?.details ?? "")).toEqual({ reason: "r".repeat(512) });
});
