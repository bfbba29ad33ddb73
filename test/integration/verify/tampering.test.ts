import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { saleRows } from "../../support/chains/evm-chain.ts";
import { databases, type TestDatabase } from "../../support/databases/databases.ts";
import { type CommitmentsFixture, startCommitments } from "../../support/processes/commitments-fixture.ts";
import { ACCEPTED_TAMPERINGS, ROW_TAMPERINGS, seeded, tamperedClients } from "../../support/sales/tampering.ts";
import { prunedBefore, VerifyFixture } from "../../support/sales/verify-fixture.ts";

const TAMPERINGS = 1_000;
const KINDS = [...ROW_TAMPERINGS, ...ACCEPTED_TAMPERINGS];
/** Commands that run at once: with a pruned node each waits most of the time. */
const AT_ONCE = 50;

describe("verify, after one field of one commitment was tampered with", () => {
  let database: TestDatabase | undefined;
  let service: CommitmentsFixture;
  let sale: VerifyFixture;

  beforeAll(async () => {
    database = await databases()[0]?.create();
    if (database === undefined) throw new Error("there is no database");
    // Each command exports. An export's place is free again only a moment after its reader has the last part.
    service = await startCommitments(database, { exportMaxStreams: 2 * AT_ONCE });
    sale = await VerifyFixture.start(service);
    // A sale that is being settled has every field that there is.
    const rows = saleRows(60).map((row) => ({ ...row, accepted: row.amounts.slice(0, 1) }));
    sale.mine(rows, 3, { allocates: true });
    await sale.publish(SaleStage.SETTLEMENT);
  });
  afterAll(async () => {
    await sale?.[Symbol.asyncDispose]();
    await service?.stop();
    await database?.remove();
  });

  /** Runs the command after each tampering. @returns those that it didn't find */
  async function missed(first: number): Promise<readonly string[]> {
    const seeds = Array.from({ length: TAMPERINGS }, (_, index) => first + index);
    const outcomes: string[] = [];
    const runNext = async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
        const random = seeded(seed);
        const kind = KINDS[random(KINDS.length)] ?? "";
        const { code, output, errors } = await sale.verify(tamperedClients(service, kind, random));
        if (code !== 1) outcomes.push(`${kind} with seed ${seed}: exit code ${code}\n${output}${errors}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runNext));
    return outcomes;
  }

  it("finds each of 1,000 against a node with the block of the figures", async () => {
    expect(await missed(0)).toEqual([]);
  });

  it("finds each of 1,000 against a node that has dropped the block's state", async () => {
    for (let block = 0; block < 3; block += 1) sale.chain.mine();
    sale.node.behaviour.interfere = prunedBefore(sale.chain, () => sale.chain.head.number);
    expect(await missed(TAMPERINGS)).toEqual([]);
  });
});
