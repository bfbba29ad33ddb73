import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import type { ProcessStatus } from "../../../common/platform/status/process-status.ts";
import { KeyStatus, SigningKeySchema } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { SaleSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { type AskedProcess, knowsNothing, type SystemFacts, systemLines } from "./system-lines.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const DAY = 86_400_000;
const STATUS: ProcessStatus = {
  service: "auth",
  version: "1.0.0",
  runtime: "node 26.0.0",
  instance: "auth-0/1",
  startedAtMs: NOW,
  notReady: [],
  measurements: [],
};

const asked = (change: Partial<ProcessStatus> = {}): AskedProcess => ({
  service: "auth",
  url: "http://10.0.0.1:8083",
  status: { ...STATUS, ...change },
});
const SILENT: AskedProcess = { service: "indexer", url: "http://10.0.0.9:8082", failure: "unavailable: ECONNREFUSED" };

/** The lines as texts, without those of processes that have answered, and of the gateway. */
const others = (facts: Partial<SystemFacts>) =>
  systemLines({ processes: [], ...facts }, NOW)
    .filter(({ subject }) => subject !== "gateway")
    .map(({ level, subject, text }) => `${level} ${subject}: ${text}`);

const saleOf = (chain: string, headHeight: bigint, fault = "") =>
  create(SaleSchema, {
    uuid: "11111111-1111-4111-8111-111111111111",
    status: SaleStatus.OPEN,
    hasSnapshot: true,
    definition: { source: { case: "evm", value: { chain } } },
    sourceStatus: { headHeight, fault },
  });

describe("the lines of a system", () => {
  it("name a process that doesn't answer, and why", () => {
    expect(others({ processes: [SILENT] })).toEqual([
      "wrong indexer http://10.0.0.9:8082: doesn't answer: unavailable: ECONNREFUSED",
    ]);
  });

  it("have a process once that answers at several addresses", () => {
    expect(others({ processes: [asked(), asked()] })).toHaveLength(1);
    expect(others({ processes: [asked(), asked({ instance: "auth-1/1" })] })).toHaveLength(2);
    expect(others({ processes: [asked(), asked({ startedAtMs: NOW + 1 })] })).toHaveLength(2);
  });

  it("say that versions differ, which an update explains", () => {
    const processes = [asked(), asked({ instance: "auth-1/1", version: "1.1.0" })];
    expect(others({ processes })).toContain("note versions: 1.0.0 and 1.1.0 run side by side");
  });

  it("say that the gateway wasn't asked, unless all run in one process", () => {
    const gateways = (service: string) =>
      systemLines({ processes: [asked({ service })] }, NOW).filter(({ subject }) => subject === "gateway");
    expect(gateways("auth")).toMatchObject([{ level: "note" }]);
    expect(gateways("tidemark")).toEqual([]);
    const gateway = { ...SILENT, service: "gateway" };
    expect(systemLines({ processes: [asked(), gateway] }, NOW).filter(({ subject }) => subject === "gateway")).toEqual(
      [],
    );
  });

  it("have the greatest head of each chain, and the feeds that stand still", () => {
    const value = [
      saleOf("base", 7n),
      saleOf("base", 9n),
      saleOf("ethereum", 0n, "the node refuses"),
      create(SaleSchema),
    ];
    expect(others({ sales: { value } })).toEqual([
      "well sales: 4 open, 3 of them read from a contract",
      "well chain base: head at 9",
      "well chain ethereum: no reader has reported its head yet",
      "wrong sale 11111111-1111-4111-8111-111111111111: fault: the node refuses",
    ]);
  });

  it("have the age of keys that sign, and that none does", () => {
    const key = create(SigningKeySchema, {
      keyId: "k1",
      algorithm: "ES256",
      status: KeyStatus.ACTIVE,
      activatedAt: timestampFromMs(NOW - 12 * DAY),
    });
    expect(others({ signingKeys: { value: [key] } })).toEqual(["well signing keys: ES256 k1 has signed for 12 days"]);
    expect(others({ signingKeys: { value: [] } })).toEqual(["wrong signing keys: none is active"]);
  });

  it("don't leave out what couldn't be asked", () => {
    const failed = { failure: "unavailable: the database doesn't answer" };
    expect(others({ sales: failed, signingKeys: failed })).toEqual([
      "wrong sales: unknown: unavailable: the database doesn't answer",
      "wrong signing keys: unknown: unavailable: the database doesn't answer",
    ]);
  });
});

it("nothing is known if no process has answered", () => {
  expect(knowsNothing({ processes: [SILENT] })).toBe(true);
  expect(knowsNothing({ processes: [SILENT, asked()] })).toBe(false);
});
