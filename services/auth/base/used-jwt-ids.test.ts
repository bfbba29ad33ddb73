import { beforeEach, expect, it, vi } from "vitest";
import { deleteExpiredRows } from "../../../common/platform/db/expired-rows.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import type { AuthDatabase } from "./schema.ts";
import { expiredJwtIds, type SingleUseJwt, UsedJwtIds } from "./used-jwt-ids.ts";

const JWT: SingleUseJwt = { purpose: "client_assertion", owner: "a client", jwtId: "one", expiresAtMs: 1_000n };

let database: AuthDatabase;
let used: UsedJwtIds;
beforeEach(async () => {
  database = await openAuthDatabase();
  used = new UsedJwtIds(database);
});

it("lets a JWT be used once, also by another process", async () => {
  expect(await used.use(JWT)).toBe(true);
  expect(await used.use(JWT)).toBe(false);
  expect(await new UsedJwtIds(database).use({ ...JWT, expiresAtMs: 2_000n })).toBe(false);
});

it("takes the same ID of another owner, purpose or spelling for another JWT", async () => {
  const others = [JWT, { ...JWT, owner: "another" }, { ...JWT, purpose: "dpop_proof" as const }];
  const spelt = ["ONE", "one ", "öne"].map((jwtId) => ({ ...JWT, jwtId }));
  for (const jwt of [...others, ...spelt]) expect(await used.use(jwt)).toBe(true);
});

it("lets one of concurrent uses succeed, and others beside them", async () => {
  const ids = ["one", "one", "two", "three", "one", "two"];
  const results = await Promise.all(ids.map((jwtId) => used.use({ ...JWT, jwtId })));
  const successes = ids.filter((_, index) => results[index]);
  expect(successes.toSorted()).toEqual(["one", "three", "two"]);
});

it("stores those that are used at the same moment in one transaction", async () => {
  const write = vi.spyOn(database, "write");
  const ids = ["one", "two", "three", "four"];
  expect(await Promise.all(ids.map((jwtId) => used.use({ ...JWT, jwtId })))).toEqual([true, true, true, true]);
  expect(write).toHaveBeenCalledTimes(1);
});

it("takes a repeated call for the same request for the same use, but only where the request is known", async () => {
  const ofRequest = { ...JWT, requestId: "6f0c4f0e-6f0c-4f0e-8f0c-6f0c4f0e6f0c" };
  expect(await used.use(ofRequest)).toBe(true);
  expect(await new UsedJwtIds(database).use(ofRequest)).toBe(true);
  expect(await used.use({ ...ofRequest, requestId: "another" })).toBe(false);
  expect(await used.use(JWT)).toBe(false);
  expect(await Promise.all([used.use(ofRequest), used.use({ ...JWT, jwtId: "two" })])).toEqual([true, true]);
});

it("keeps an ID five minutes longer than its JWT is valid", async () => {
  await used.use(JWT);
  const prune = (nowMs: bigint) => deleteExpiredRows(database, [expiredJwtIds(nowMs)], new AbortController().signal);
  await prune(301_000n);
  expect(await used.use(JWT)).toBe(false);
  await prune(301_001n);
  expect(await used.use(JWT)).toBe(true);
});
