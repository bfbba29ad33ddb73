import { describe, expect, it } from "vitest";
import { saleRow } from "../../../../test/support/chains/evm-chain.ts";
import { evmChain } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";
import type { SourceCommitment } from "../../source-commitment.ts";
import { LogAudit } from "./log-audit.ts";
import { LogTrust } from "./log-trust.ts";
import { type ContractLogs, NO_LOGS } from "./logged-changes.ts";

const { signal } = new AbortController();
const [first, second] = [saleRow(1), saleRow(2)].map((row) => ({ ...row, sourceIndex: 0n })) as [
  SourceCommitment,
  SourceCommitment,
];
const { urls } = new EvmEndpoint(evmChain(["http://localhost:1", "http://localhost:2"]));

function logsOf(...ids: readonly string[]): ContractLogs {
  return { ...NO_LOGS, commitments: new Set(ids), urls: new Set(urls.slice(0, 1)) };
}

function fromOther(logs: ContractLogs): ContractLogs {
  return { ...logs, urls: new Set(urls.slice(1)) };
}

/** A trust after a sweep that found both rows changed. @param again answers to the second question, and to those of later sweeps */
async function trustAfter(...again: readonly (ContractLogs | undefined)[]) {
  const trust = new LogTrust();
  trust.prove();
  const answers = [...again];
  const audit = new LogAudit(trust, REFERENCE_FAMILY.logs, logsOf(first.commitmentId), async () => answers.shift());
  audit.add({ upserts: [first], removals: [second.commitmentId] });
  await audit.conclude(signal);
  return trust;
}

describe("trust in logs", () => {
  it("is doubted, without a warning, if one URL has no log of a change", async () => {
    const trust = await trustAfter(logsOf(first.commitmentId));
    expect([trust.isProven, trust.isDoubted, trust.warning]).toEqual([false, true, undefined]);
  });

  it("is lost if a second URL has none either", async () => {
    const trust = await trustAfter(fromOther(logsOf(first.commitmentId)));
    expect(trust.isDoubted).toBe(true);
    expect(trust.warning).toContain("without a log");
  });

  it("is lost if the same is found at the next sweep, and regained once the log is there", async () => {
    const late = logsOf(first.commitmentId, second.commitmentId);
    const trust = await trustAfter(logsOf(first.commitmentId), logsOf(first.commitmentId), late);
    await trust.review(signal);
    expect([trust.isProven, trust.warning]).toEqual([false, expect.stringContaining("without a log")]);
    await trust.review(signal);
    expect([trust.isProven, trust.isDoubted, trust.warning]).toEqual([true, false, undefined]);
  });

  it.each([
    ["the blocks have left the chain", undefined],
    ["a log of unknown meaning may name the change", { ...logsOf(), hasUnknown: true }],
  ])("isn't doubted any more if %s", async (_, later) => {
    const trust = await trustAfter(fromOther(logsOf()), later);
    await trust.review(signal);
    expect([trust.isProven, trust.isDoubted, trust.warning]).toEqual([true, false, undefined]);
  });

  it("stays as it is if the logs can't be read again", async () => {
    const trust = new LogTrust();
    const audit = new LogAudit(trust, REFERENCE_FAMILY.logs, logsOf(), () => Promise.reject(new Error("no logs")));
    audit.add({ upserts: [first], removals: [] });
    await expect(audit.conclude(signal)).rejects.toThrow("no logs");
    expect([trust.isProven, trust.isDoubted]).toEqual([false, false]);
  });

  it("survives logs that come later than the state", async () => {
    const trust = await trustAfter(logsOf(first.commitmentId, second.commitmentId));
    expect([trust.isProven, trust.isDoubted]).toEqual([true, false]);
  });

  it("is gained by logs that name all changes, without another read", async () => {
    const trust = new LogTrust();
    const audit = new LogAudit(trust, REFERENCE_FAMILY.logs, logsOf(first.commitmentId), () =>
      Promise.reject(new Error("asked again")),
    );
    audit.add({ upserts: [first], removals: [] });
    await audit.conclude(signal);
    expect(trust.isProven).toBe(true);
  });
});
