import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { exportNotices } from "./notice-metrics.ts";
import type { Notice } from "./notices-store.ts";
import { storeNotice } from "./notices-store.ts";

const NOTICE: Notice = { kind: "setup_decided", label: "Ann", approved: true, reason: "", final: false };

it("exports how many mails wait, and how long the oldest has", async () => {
  const database = await openEntitiesDatabase();
  const registry = new Registry();
  exportNotices({ database, clock: () => 100_000n }, registry);
  const exported = async () => {
    const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("tidemark_"));
    return Object.fromEntries(lines.map((line) => line.split(" ")));
  };
  const [waiting, lag] = ["tidemark_entities_notices_waiting", "tidemark_entities_notice_lag_seconds"];
  expect(await exported()).toEqual({ [waiting]: "0", [lag]: "0" });
  await database.write(async (transaction) => {
    for (const atMs of [70_000n, 40_000n, 90_000n]) await storeNotice(transaction, randomUUID(), NOTICE, atMs);
  });
  expect(await exported()).toEqual({ [waiting]: "3", [lag]: "60" });
  await database.close();
  expect(await exported()).toEqual({ [waiting]: "Nan", [lag]: "Nan" });
});
