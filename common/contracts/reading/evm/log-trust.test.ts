import { describe, expect, it } from "vitest";
import { saleRow } from "../../../../test/support/chains/evm-chain.ts";
import { NO_LOGS } from "../../reference/evm/contract-logs.ts";
import { LogAudit } from "./log-audit.ts";
import { LogTrust } from "./log-trust.ts";

const [first, second] = [saleRow(1), saleRow(2)].map((row) => ({ ...row, sourceIndex: 0n }));
if (first === undefined || second === undefined) throw new Error("two rows were expected");

function logsOf(...entities: readonly string[]) {
  return { ...NO_LOGS, entities: new Set(entities) };
}

describe("trust in logs", () => {
  it("is lost if a change is named neither at once nor later", async () => {
    const trust = new LogTrust();
    const audit = new LogAudit(trust, logsOf(first.entityId), async () => logsOf(first.entityId));
    audit.add({ upserts: [first, second], removals: [] });
    await audit.conclude();
    expect(trust.isLost).toBe(true);
    expect(trust.warning).toContain("without a log");
  });

  it("is lost if a commitment is gone without a log", async () => {
    const trust = new LogTrust();
    const audit = new LogAudit(trust, logsOf(), async () => logsOf());
    audit.add({ upserts: [], removals: [second.commitmentId] });
    await audit.conclude();
    expect(trust.isLost).toBe(true);
  });

  it("survives logs that come later than the state", async () => {
    const trust = new LogTrust();
    trust.prove();
    const audit = new LogAudit(trust, logsOf(), async () => logsOf(first.entityId, second.entityId));
    audit.add({ upserts: [first], removals: [second.commitmentId] });
    await audit.conclude();
    expect([trust.isProven, trust.isLost]).toEqual([true, false]);
  });

  it("is neither lost nor gained if the logs can't be read again", async () => {
    const trust = new LogTrust();
    const audit = new LogAudit(trust, logsOf(), () => Promise.reject(new Error("no logs")));
    audit.add({ upserts: [first], removals: [] });
    await expect(audit.conclude()).rejects.toThrow("no logs");
    expect([trust.isProven, trust.isLost]).toEqual([false, false]);
  });

  it("is gained by logs that name all changes, without another read", async () => {
    const trust = new LogTrust();
    const audit = new LogAudit(trust, logsOf(first.entityId), () => Promise.reject(new Error("asked again")));
    audit.add({ upserts: [first], removals: [] });
    await audit.conclude();
    expect(trust.isProven).toBe(true);
  });
});
