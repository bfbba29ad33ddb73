import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import { verifySale } from "../../../common/verify/verify.ts";
import type { VerifyOptions } from "../../../common/verify/verify-options.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliClients } from "../../../services/cli/cli.ts";
import { serviceFigures } from "../../../services/cli/verify/service-figures.ts";
import { openSvmSale } from "../../support/chains/svm-chain-sale.ts";
import { SvmNode } from "../../support/chains/svm-node.ts";
import { SVM_SALE_UUID, svmEntity, svmEntityId, wallets } from "../../support/chains/svm-reader-fixture.ts";
import { expectedRows } from "../../support/chains/svm-sale.ts";
import { databases, type TestDatabase } from "../../support/databases/databases.ts";
import { runCliWith } from "../../support/processes/cli.ts";
import { type CommitmentsFixture, startCommitments } from "../../support/processes/commitments-fixture.ts";
import { ROW_TAMPERINGS, seeded, tamperedClients } from "../../support/sales/tampering.ts";

const ENTITIES = 120;
const { signal } = new AbortController();
/** On Solana commitments have no order of their own, so an index is Tidemark's. */
const TAMPERINGS = ROW_TAMPERINGS.filter((kind) => kind !== "sourceIndex");

describe("verify, on Solana", () => {
  let database: TestDatabase | undefined;
  let service: CommitmentsFixture;
  let node: SvmNode;
  let leaseEpoch: bigint;

  beforeAll(async () => {
    database = await databases()[0]?.create();
    if (database === undefined) throw new Error("there is no database");
    service = await startCommitments(database);
    node = await SvmNode.start(SVM_SALE_UUID);
    await openSvmSale(service, node);
    const lease = { saleUuid: SVM_SALE_UUID, holder: "reader", duration: { seconds: 300n } };
    leaseEpoch = (await service.commitments.acquireSaleLease(lease)).epoch;
  });
  afterAll(async () => {
    await node?.stop();
    await service?.stop();
    await database?.remove();
  });
  beforeEach(async () => {
    node.beforeAnswer = () => undefined;
    node.advance((state) => {
      const { entities } = state;
      state.stage = 1;
      entities.clear();
      for (let id = 1; id <= ENTITIES; id += 1) {
        entities.set(svmEntityId(id), svmEntity({ price: BigInt(id), wallets: wallets(1 + (id % 3)) }));
      }
    });
    await publish();
    await report();
  });

  const position = () => ({ height: BigInt(node.state.slot), hash: new Uint8Array() });

  /** Applies the sale's state to the service, as an indexer does. */
  async function publish(stage: SaleStage = SaleStage.COMMITMENT, accepted?: bigint): Promise<void> {
    const { mint } = node.state;
    const listed = (byWallet: Readonly<Record<string, bigint>>) =>
      Object.entries(byWallet).map(([wallet, amount]) => ({ wallet, token: mint, amount }));
    const upserts = expectedRows(node.state).map(({ amounts, accepted, ...row }, index) =>
      recordMessage({
        ...row,
        entityId: row.commitmentId.slice(0, 32),
        amounts: listed(amounts),
        accepted: listed(accepted),
        extraData: new Uint8Array(),
        sourceIndex: BigInt(index),
      }),
    );
    await service.commitments.applyCommitments({
      saleUuid: SVM_SALE_UUID,
      requestId: randomUUID(),
      upserts,
      stage,
      sourcePosition: position(),
      leaseEpoch,
      ...(accepted !== undefined && { allocationTotals: { accepted: [{ token: mint, amount: `${accepted}` }] } }),
    });
  }

  async function report(): Promise<void> {
    const { height } = position();
    const chain = { chainId: 0n, contractUrl: "" };
    const asOf = { saleUuid: SVM_SALE_UUID, leaseEpoch, headHeight: height, asOf: position(), chain };
    await service.commitments.reportSourceStatus({ ...asOf, readInterval: { seconds: 1n } });
  }

  const verdictOf = (change: Partial<VerifyOptions> = {}) =>
    verifySale({
      readShown: (soon) => serviceFigures(service, SVM_SALE_UUID, soon),
      nodes: [node.url],
      program: node.program,
      signal,
      onProgress: async () => {},
      wait: async () => {},
      ...change,
    });

  it("finds nothing where the figures are those of the accounts, at equal slots", async () => {
    const args = ["verify", SVM_SALE_UUID, "--rpc", node.url, "--program", node.program];
    const { code, output, errors } = await runCliWith(service as unknown as CliClients, args);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(output).toMatch(/^commitments +same +120 of the contract and 120 shown, every field of each$/m);
    expect(output).toMatch(/^payment tokens +same +1 that the contract takes$/m);
    expect(output).toContain("slots are equal");
  });

  it("finds one field that was tampered with, whichever it is", async () => {
    for (const kind of TAMPERINGS) {
      const tampered = tamperedClients(service, kind, seeded(11));
      const { differences } = await verdictOf({ readShown: (soon) => serviceFigures(tampered, SVM_SALE_UUID, soon) });
      expect(differences, kind).toBeGreaterThan(0);
    }
  });

  it("compares what is accepted of a sale that is being settled", async () => {
    node.advance((state) => {
      state.stage = 3;
      for (const entity of state.entities.values()) entity.accepted = new Map([...entity.wallets].slice(0, 1));
    });
    // Each entity's first wallet has 1.
    await publish(SaleStage.SETTLEMENT, BigInt(ENTITIES));
    await report();
    const { differences, checks } = await verdictOf();
    expect(differences).toBe(0);
    const detail = `${ENTITIES} smallest units of all commitments together`;
    expect(checks).toContainEqual({ name: "accepted", outcome: "same", detail });
    const tampered = tamperedClients(service, "accepted", seeded(11));
    const { findings } = await verdictOf({ readShown: (soon) => serviceFigures(tampered, SVM_SALE_UUID, soon) });
    expect(findings[0]?.check).toBe("commitments");
  });

  it("waits for figures of the slot that was read", async () => {
    node.advance(({ entities }) => entities.set(svmEntityId(1), svmEntity({ price: 9n })));
    let waits = 0;
    const wait = async () => {
      waits += 1;
      if (waits !== 2) return;
      await publish();
      await report();
    };
    expect(await verdictOf({ wait })).toMatchObject({ differences: 0, readAt: { height: position().height } });
    expect(waits).toBe(2);
  });

  it("begins again where the sale changed after the slot that was read", async () => {
    let changes = 0;
    const readShown = async (soon: AbortSignal) => {
      // The first read of an attempt comes before the chain is read, the second after it.
      changes += 1;
      if (changes === 2) {
        node.advance(({ entities }) => entities.set(svmEntityId(2), svmEntity({ price: 8n })));
        await publish();
        await report();
      }
      return serviceFigures(service, SVM_SALE_UUID, soon);
    };
    expect(await verdictOf({ readShown })).toMatchObject({ differences: 0, readAt: { height: position().height } });
    expect(changes).toBe(4);
  });

  it("can't tell where something differs and the figures never reach the slot", async () => {
    node.advance(({ entities }) => entities.set(svmEntityId(3), svmEntity({ price: 7n })));
    await expect(verdictOf()).rejects.toThrow(
      /differences, and they may be later changes: the figures are current up to/,
    );
  });

  it("can't tell without the program's own account", async () => {
    const program = "3XxHCh947y1PAMK5y8oecBtaLU7TtTj9r4yMYwzFbJYs";
    await expect(verdictOf({ program })).rejects.toThrow("an account doesn't belong to program");
  });
});
