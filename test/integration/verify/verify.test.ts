import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Verdict } from "../../../common/verify/verdict.ts";
import { verifySale } from "../../../common/verify/verify.ts";
import type { VerifyOptions } from "../../../common/verify/verify-options.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { serviceFigures } from "../../../services/cli/verify/service-figures.ts";
import { saleRow, saleRows, TOKEN } from "../../support/chains/evm-chain.ts";
import { CONTRACT } from "../../support/chains/evm-node.ts";
import { encodeRows } from "../../support/chains/evm-sale-abi.ts";
import { databases, type TestDatabase } from "../../support/databases/databases.ts";
import { type CommitmentsFixture, startCommitments } from "../../support/processes/commitments-fixture.ts";
import { FIGURE_TAMPERINGS, ROW_TAMPERINGS, seeded, tamperedClients } from "../../support/sales/tampering.ts";
import { prunedBefore, VerifyFixture } from "../../support/sales/verify-fixture.ts";

const ROWS = saleRows(120);
const { signal } = new AbortController();

describe("verify, with all commitments", () => {
  let database: TestDatabase | undefined;
  let service: CommitmentsFixture;
  let sale: VerifyFixture;

  beforeAll(async () => {
    database = await databases()[0]?.create();
    if (database === undefined) throw new Error("there is no database");
    service = await startCommitments(database);
    sale = await VerifyFixture.start(service);
  });
  afterAll(async () => {
    await sale?.[Symbol.asyncDispose]();
    await service?.stop();
    await database?.remove();
  });
  beforeEach(async () => {
    sale.node.behaviour.interfere = () => undefined;
    sale.mine(ROWS);
    await sale.publish();
  });

  const verdictOf = (change: Partial<VerifyOptions> = {}): Promise<Verdict> =>
    verifySale({
      readShown: (soon) => serviceFigures(service, sale.saleUuid, soon),
      nodes: [sale.node.url],
      signal,
      onProgress: async () => {},
      wait: async () => {},
      ...change,
    });

  it("finds nothing where the figures are those of the contract, and says what it has compared", async () => {
    const { code, output, errors } = await sale.verify(service, "--contract", CONTRACT);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    const { height, hash } = sale.position;
    expect(output).toContain(`block ${height} (0x${hash})`);
    expect(output.split("\n").filter((line) => / {2}same {2}/.test(line))).toEqual([
      expect.stringMatching(/^contract +same +0x(5a1e){10} on fake, chain ID 31337$/),
      expect.stringMatching(/^block +same/),
      expect.stringMatching(/^sale UUID +same/),
      expect.stringMatching(/^stage +same +commitment$/),
      expect.stringMatching(/^status +same +open$/),
      expect.stringMatching(/^payment tokens +same +2 that the contract takes$/),
      expect.stringMatching(/^token decimals +same +2 of 2 tokens$/),
      expect.stringMatching(/^commitments +same +120 of the contract and 120 shown, every field of each$/),
      expect.stringMatching(/^total +same/),
      expect.stringMatching(/^count +same +120 commitments that count$/),
      expect.stringMatching(/^clearing price +same/),
      expect.stringMatching(/^latest +same +100 commitments/),
    ]);
    expect(output.trimEnd()).toMatch(/Everything that was compared is the same\.$/);
  });

  it("answers programs in JSON", async () => {
    const { output } = await sale.verify(service, "--json");
    const position = { height: `${sale.position.height}`, hash: `0x${sale.position.hash}` };
    expect(JSON.parse(output)).toMatchObject({
      same: true,
      saleUuid: sale.saleUuid,
      covers: "all_commitments",
      figures: { from: "the commitments service", at: position },
      readAt: position,
      contract: { kind: "evm", chain: "fake", chainId: "31337", address: CONTRACT },
      node: sale.node.host,
      differences: 0,
      findings: [],
    });
  });

  it("finds one field that was tampered with, whichever it is", async () => {
    for (const kind of [...ROW_TAMPERINGS, ...FIGURE_TAMPERINGS]) {
      const { code, output, errors } = await sale.verify(tamperedClients(service, kind, seeded(7)));
      expect(code, `${kind}\n${output}`).toBe(1);
      expect(output).toContain("DIFFERS");
      expect(output.trimEnd()).toMatch(/NOT THE SAME: \d+ differences?\.$/);
      expect(errors).toBe("the figures are not those of the contract\n");
    }
  });

  it("names commitment, field and both values", async () => {
    const raised = saleRow(7, { priceTicks: 8n });
    sale.mine(ROWS.map((row) => (row.entityId === raised.entityId ? raised : row)));
    await sale.report();
    const { findings } = await verdictOf();
    const subject = `commitment 0x${raised.commitmentId}, price`;
    expect(findings).toContainEqual({ check: "commitments", subject, shown: "7 ticks", chain: "8 ticks" });
  });

  it("finds a stage, a token's decimals and a contract that aren't those of the chain", async () => {
    sale.mine(ROWS, 2);
    await sale.report();
    const other = `0x${"7".repeat(40)}`;
    await expect(verdictOf({ chainId: 1n })).rejects.toThrow("its chain ID is 31337, not 1");
    const { findings } = await verdictOf({ contract: other });
    expect(findings).toContainEqual({ check: "contract", subject: "address", shown: CONTRACT, chain: other });
    expect(findings).toContainEqual({ check: "stage", subject: "stage", shown: "commitment", chain: "cancellation" });
  });

  it("reads the newest block since which no commitment has changed, where the node has dropped the one of the figures", async () => {
    const { height } = sale.position;
    for (let block = 0; block < 5; block += 1) sale.chain.mine();
    sale.node.behaviour.interfere = prunedBefore(sale.chain, () => sale.chain.head.number);
    const { readAt, figuresAt, remarks, differences } = await verdictOf();
    expect({ differences, figuresAt: figuresAt.height }).toEqual({ differences: 0, figuresAt: height });
    expect(readAt?.height).toBe(height + 5n);
    expect(remarks[0]).toMatch(
      `the node no longer has the state of block ${height}; the contract has logged no change`,
    );
    const { code } = await sale.verify(tamperedClients(service, "priceTicks", seeded(1)));
    expect(code).toBe(1);
  });

  it("can't tell where that block is dropped too, or the node has no logs and something differs", async () => {
    const changed = [saleRow(1, { priceTicks: 9n }), ...ROWS.slice(1)];
    sale.mine(changed);
    sale.chain.mine();
    sale.node.behaviour.interfere = prunedBefore(sale.chain, () => sale.chain.head.number);
    const { code, output, errors } = await sale.verify();
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toMatch(
      /^not compared: the node no longer has the state of block \d+, and the contract has changed/,
    );
    sale.node.behaviour.hasLogs = false;
    const unknown = await sale.verify();
    sale.node.behaviour.hasLogs = true;
    expect(unknown.code).toBe(2);
    expect(unknown.errors).toMatch(
      /^not compared: \d+ differences, and they may be later changes: use an archive node/,
    );
  });

  it("says how old figures are that aren't new", async () => {
    for (let block = 0; block < 150; block += 1) sale.chain.mine();
    const { remarks, differences } = await verdictOf();
    expect(differences).toBe(0);
    const [old, newest] = [sale.position.height - 150n, sale.position.height];
    const age = `which is 30 minutes older than block ${newest}, the node's newest: later commitments aren't in them`;
    expect(remarks).toEqual([`the figures are of block ${old}, ${age}`]);
  });

  it("reads the block before the first change, if the node still has it", async () => {
    sale.chain.mine();
    const before = sale.chain.head.number;
    sale.mine([saleRow(1, { priceTicks: 9n }), ...ROWS.slice(1)]);
    sale.node.behaviour.interfere = prunedBefore(sale.chain, () => before);
    const { readAt, differences } = await verdictOf();
    expect({ height: readAt?.height, differences }).toEqual({ height: before, differences: 0 });
  });

  it("differs against a node that lies about one row, and says that the contract's totals contradict it", async () => {
    const lie = saleRow(1, { amounts: [{ wallet: `0x${"c".repeat(40)}`, token: TOKEN, amount: 1n }] });
    sale.node.behaviour.interfere = ({ functionName, params }) => {
      if (functionName !== "readCommitmentDataIn") return undefined;
      const [from, to] = rangeOf(params);
      return { kind: "result", result: encodeRows([lie, ...ROWS.slice(1)].slice(from, to)) };
    };
    const { findings, remarks } = await verdictOf();
    expect(findings[0]).toMatchObject({ check: "commitments", subject: `commitment 0x${lie.commitmentId}, amounts` });
    expect(remarks.join()).toContain("the node may not be honest");
  });

  it("begins again where the chain is re-organised while it is read", async () => {
    let reads = 0;
    sale.node.behaviour.interfere = ({ functionName }) => {
      if (functionName !== "readCommitmentDataIn") return undefined;
      reads += 1;
      if (reads !== 1) return undefined;
      sale.chain.drop(1);
      sale.mine([...ROWS, saleRow(121)]);
      return { kind: "error", code: -32000, message: "hash is not currently canonical" };
    };
    const { differences, readAt } = await verdictOf({ wait: () => sale.publish() });
    expect({ differences, readAt: readAt?.hash }).toEqual({ differences: 0, readAt: sale.position.hash });
  });

  it("differs where the chain doesn't have the block of the figures, and goes on without it", async () => {
    const { height, hash } = sale.position;
    sale.chain.drop(1);
    sale.mine(ROWS);
    const { findings, checks } = await verdictOf();
    const [actual, shown] = [sale.position.hash, hash].map((text) => `0x${text}`);
    expect(findings).toEqual([{ check: "block", subject: `block ${height}`, shown, chain: actual }]);
    expect(checks.map(({ name }) => name)).toEqual(["contract", "block"]);
  });

  it("can't tell without a node of the right chain, or without the sale", async () => {
    sale.node.behaviour.chainId = 5;
    const wrong = await sale.verify();
    sale.node.behaviour.chainId = 31_337;
    expect(wrong.code).toBe(2);
    // A node's chain is asked once for each endpoint.
    expect(wrong.errors).toContain("it says that its chain ID is 5, not 31337");
    const unknown = await sale.verify({ ...service, commitments: service.as("stranger").commitments });
    expect(unknown.code).toBe(2);
  });

  describe("of a sale that is being settled", () => {
    /** Every second commitment is accepted in part. */
    const allocated = ROWS.map((row, index) => {
      const [first] = row.amounts;
      return first === undefined || index % 2 === 0 ? row : { ...row, accepted: [{ ...first, amount: 500n }] };
    });

    beforeEach(async () => {
      sale.mine(allocated, 3, { allocates: true });
      await sale.publish(SaleStage.SETTLEMENT);
    });

    it("finds nothing where what is accepted is that of the contract", async () => {
      const { differences, checks, remarks } = await verdictOf();
      expect({ differences, remarks }).toEqual({ differences: 0, remarks: [] });
      const detail = "30000 smallest units of all commitments together";
      expect(checks).toContainEqual({ name: "accepted", outcome: "same", detail });
    });

    it("finds one accepted amount that was tampered with, and a total", async () => {
      for (const kind of ["accepted", "acceptedLeftOut"]) {
        const clients = tamperedClients(service, kind, seeded(5));
        const { findings } = await verdictOf({ readShown: (soon) => serviceFigures(clients, sale.saleUuid, soon) });
        expect(findings[0]?.check, kind).toBe("commitments");
      }
      const readShown = async (soon: AbortSignal) => ({
        ...(await serviceFigures(service, sale.saleUuid, soon)),
        accepted: { total: 29_999n },
      });
      const { findings } = await verdictOf({ readShown });
      const subject = "accepted of all commitments";
      expect(findings).toEqual([{ check: "accepted", subject, shown: "29999", chain: "30000" }]);
    });

    it("compares nothing that is accepted where the contract's lists don't fit each other, and says so", async () => {
      sale.mine(allocated, 3, { allocates: true, reversesAllocations: true });
      await sale.report();
      const { checks, remarks } = await verdictOf();
      expect(remarks[0]).toMatch(/^accepted amounts aren't compared: the contract doesn't list its allocations/);
      expect(checks.find(({ name }) => name === "accepted")?.outcome).toBe("differs");
    });
  });

  it("counts refunded commitments once the sale is settled", async () => {
    const refunded = ROWS.map((row) => ({ ...row, refunded: true }));
    sale.mine(refunded, 4);
    await sale.publish(SaleStage.DONE);
    const { differences, checks } = await verdictOf();
    expect(differences).toBe(0);
    expect(checks).toContainEqual({ name: "status", outcome: "same", detail: "settled" });
    expect(checks).toContainEqual({ name: "count", outcome: "same", detail: "120 commitments that count" });
  });
});

/** The range of a call of `readCommitmentDataIn`. */
function rangeOf([call]: readonly unknown[]): readonly [number, number] {
  const words = (call as { data: string }).data.slice(10).match(/.{64}/g) ?? [];
  const [from = 0, to = 0] = words.map((word) => Number(BigInt(`0x${word}`)));
  return [from, to];
}
