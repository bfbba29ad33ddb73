import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { EntitiesDatabase } from "../base/schema.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import {
  ensureAccount,
  isAccountClosed,
  lockAccount,
  readClosedAccounts,
  reopen,
  storeClosed,
  storeErased,
} from "./closed-accounts-store.ts";

const accountUuid = randomUUID();
let database: EntitiesDatabase;

beforeEach(async () => {
  database = await openEntitiesDatabase();
  await ensureAccount(database, accountUuid);
});

const close = (closedAtMs: bigint) => database.write((change) => storeClosed(change, { accountUuid, closedAtMs }));
const isClosed = (uuid = accountUuid) => database.read((query) => isAccountClosed(query, uuid));

it("knows whether an account is closed", async () => {
  expect(await isClosed()).toBe(false);
  expect(await isClosed(randomUUID())).toBe(false);
  await close(100n);
  await ensureAccount(database, accountUuid);
  expect(await isClosed()).toBe(true);
  expect(await database.write((change) => lockAccount(change, database.dialect, accountUuid))).toEqual({
    closed: true,
  });
});

it("opens an account again only as it was read", async () => {
  await close(100n);
  expect(await database.read((query) => readClosedAccounts(query, 99n, 10))).toEqual([]);
  const closed = await database.read((query) => readClosedAccounts(query, 100n, 10));
  expect(closed).toEqual([{ accountUuid, closedAtMs: 100n }]);
  await close(200n);
  await database.write((change) => reopen(change, { accountUuid, closedAtMs: 100n }));
  expect(await isClosed()).toBe(true);
  await database.write((change) => reopen(change, { accountUuid, closedAtMs: 200n }));
  expect(await isClosed()).toBe(false);
});

it("never opens an erased account", async () => {
  await database.write((change) => storeErased(change, accountUuid, 300n));
  await database.write((change) => reopen(change, { accountUuid, closedAtMs: 300n }));
  expect(await isClosed()).toBe(true);
  expect(await database.read((query) => readClosedAccounts(query, 300n, 10))).toEqual([]);
});
