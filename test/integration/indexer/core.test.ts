import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SourceFault } from "../../../common/chains/base/source-fault.ts";
import type { ChainConnection } from "../../../common/contracts/chain-connection.ts";
import { unknownChain } from "../../../common/contracts/connecting/chain-connections.ts";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import { Semaphore } from "../../../common/platform/concurrency/semaphore.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { SaleStatus, type SourceStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { createIndexerMetrics } from "../../../services/indexer/follow/indexer-metrics.ts";
import { SaleAssignments } from "../../../services/indexer/follow/sale-assignments.ts";
import { SaleLeases } from "../../../services/indexer/follow/sale-leases.ts";
import { SaleWorker } from "../../../services/indexer/follow/sale-worker.ts";
import type { CommitmentsClient } from "../../../services/indexer/sending/commitments-client.ts";
import { publish } from "../../../services/indexer/sending/publish.ts";
import { type SourceSale, sourceSaleOf } from "../../../services/indexer/sending/source-sale.ts";
import { commitmentOf } from "../../../services/indexer/sending/stored-sale.ts";
import { commitment, commitments, snapshotOf, upserted } from "../../../services/indexer/testing/samples.ts";
import { ScriptedChain, ScriptedContract } from "../../support/chains/scripted-contract.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { SOON } from "../../support/repository/polling.ts";
import {
  auction,
  draftSale,
  evmSource,
  openedSale,
  refusal,
  USDX,
  USDY,
  usdx,
  WALLET,
} from "../../support/sales/sale-messages.ts";

const LEASE_MS = 3_000;
/** In which no slow machine loses a lease that another reader waits for; and in which a test loses none. */
const WATCHED_LEASE_MS = 9_000;
const LASTING_LEASE_MS = 120_000;
const MAX_ROWS = 3;
/** The settings of a worker that differ from those of most tests. */
interface WorkerOptions {
  readonly client?: CommitmentsClient;
  readonly leaseMs?: number;
}

const usdy = { address: USDY, decimals: 6, usdStablecoin: true };

describeCommitments("the indexer's core", (service) => {
  let running: { stop(): Promise<void> }[];
  beforeEach(() => {
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((each) => each.stop()));
  });

  const clientOfIndexer = (): CommitmentsClient => service().as("indexer");

  function workerOptions(chain: ChainConnection, { client = clientOfIndexer(), leaseMs = LEASE_MS } = {}) {
    const metrics = createIndexerMetrics(new Registry());
    const { logger } = captureLog();
    const leases = new SaleLeases({ client, holder: `reader-${randomUUID()}`, durationMs: leaseMs });
    return {
      client,
      chain,
      semaphore: new Semaphore(2),
      leases,
      leaseMs,
      maxRows: MAX_ROWS,
      logger,
      metrics,
    };
  }

  async function saleOf(saleUuid: string) {
    const { sale } = await service().sales.getSale({ saleUuid });
    if (sale === undefined) throw new Error("a sale was expected");
    return sale;
  }

  async function sourceSale(saleUuid: string): Promise<SourceSale> {
    const sale = sourceSaleOf(await saleOf(saleUuid));
    if (sale === undefined) throw new Error("a sale with a source was expected");
    return sale;
  }

  const statusOf = async (saleUuid: string): Promise<SourceStatus | undefined> => (await saleOf(saleUuid)).sourceStatus;
  const faultOf = async (saleUuid: string) => (await statusOf(saleUuid))?.fault;

  async function startWorker(saleUuid: string, chain: ChainConnection, options?: WorkerOptions) {
    const worker = new SaleWorker(workerOptions(chain, options), await sourceSale(saleUuid));
    running.push(worker);
    return worker;
  }

  const chainFedSale = () => openedSale(service(), auction({ source: evmSource() }));

  /** A sale with ten rows in its contract, which are shown. */
  async function followed(options?: WorkerOptions) {
    const contract = new ScriptedContract();
    contract.mine(commitments(10));
    const saleUuid = await chainFedSale();
    const worker = await startWorker(saleUuid, new ScriptedChain(contract), options);
    await untilShown(saleUuid, contract);
    return { saleUuid, contract, worker };
  }

  /** The public state of a sale: figures, rows, and whether it is settled. */
  async function shown(saleUuid: string) {
    const { status, sourcePosition } = await saleOf(saleUuid);
    const figures = await service()
      .commitments.getCommitmentData({ saleUuid })
      .catch(() => undefined);
    if (figures?.data === undefined) return undefined;
    const { totalAmount, commitmentCount } = figures.data;
    const rows = await listed(saleUuid).catch(() => undefined);
    return { totalAmount, commitmentCount, rows, isSettled: status === SaleStatus.SETTLED, at: sourcePosition?.height };
  }

  async function listed(saleUuid: string): Promise<readonly SourceCommitment[]> {
    const page = await service().commitments.listCommitments({ saleUuid, pageSize: 500 });
    return page.commitments.flatMap(({ record }) => (record === undefined ? [] : commitmentOf(record)));
  }

  function expected({ rows, stage, position }: ScriptedContract) {
    const isSettled = stage === "done";
    const active = rows.filter(({ refunded }) => isSettled || !refunded);
    const amounts = active.flatMap((row) => row.amounts.map(({ amount }) => amount));
    return {
      totalAmount: amounts.reduce((sum, amount) => sum + amount, 0n).toString(),
      commitmentCount: BigInt(active.length),
      rows: rows.toSorted((a, b) => (a.commitmentId < b.commitmentId ? -1 : 1)),
      isSettled,
      at: position.height,
    };
  }

  const untilShown = (saleUuid: string, contract: ScriptedContract) =>
    expect.poll(() => shown(saleUuid), SOON).toEqual(expected(contract));

  it("shows the contract's state through every change", async () => {
    const { saleUuid, contract } = await followed();
    const step = async (rows: readonly SourceCommitment[], height?: bigint) => {
      contract.mine(rows, height);
      await untilShown(saleUuid, contract);
    };
    const amounts = [{ wallet: WALLET, token: USDX, amount: 2n ** 200n }];
    await step([...contract.rows, commitment(20, { amounts, extraData: new Uint8Array([1, 2]) })]);
    await step(contract.rows.map((row) => ({ ...row, priceTicks: row.priceTicks + 5n })));
    await step(contract.rows.toSpliced(2, 3));
    await step(contract.rows.toReversed());
    await step(contract.rows.with(1, commitment(3, { refunded: true })));
    await step(commitments(4), contract.position.height - 40n);
    contract.stage = "done";
    await step(contract.rows.map((row) => ({ ...row, refunded: true })));
    contract.stage = "settlement";
    await step(contract.rows, contract.position.height - 1n);
    await step([]);
    await step(commitments(40));
  });

  it("shows an empty contract as an empty sale", async () => {
    const contract = new ScriptedContract();
    const saleUuid = await chainFedSale();
    expect(await refusal(service().commitments.getCommitmentData({ saleUuid }))).toMatchObject({ code: "unavailable" });
    await startWorker(saleUuid, new ScriptedChain(contract));
    await untilShown(saleUuid, contract);
  });

  it("shows why the contract can't be read, and its last state; then continues by itself", async () => {
    const { saleUuid, contract } = await followed();
    const before = expected(contract);
    contract.fault = new SourceFault("the node lags", { remedy: "wait" });
    contract.mine(commitments(30));
    await expect.poll(() => faultOf(saleUuid), SOON).toBe("the node lags");
    expect(await shown(saleUuid)).toEqual(before);
    contract.fault = undefined;
    await untilShown(saleUuid, contract);
    await expect.poll(() => faultOf(saleUuid), SOON).toBe("");
  });

  it("shows nothing of an interrupted snapshot whose parts were stored already", async () => {
    const { saleUuid, contract } = await followed();
    const { totalAmount, commitmentCount } = expected(contract);
    contract.tornAfter = 8;
    contract.mine(commitments(10).map((row) => ({ ...row, priceTicks: 99n })));
    await expect.poll(() => faultOf(saleUuid), SOON).toBe("the contract changed while it was read");
    expect(await saleOf(saleUuid)).toMatchObject({ changeSetOpen: true });
    expect(await shown(saleUuid)).toMatchObject({ totalAmount, commitmentCount });
    contract.tornAfter = Number.POSITIVE_INFINITY;
    contract.mine(commitments(6));
    await untilShown(saleUuid, contract);
    expect(await saleOf(saleUuid)).toMatchObject({ changeSetOpen: false });
  });

  it("is taken over by another reader within the lease duration, and a late apply of the first changes nothing", async () => {
    const contract = new ScriptedContract();
    contract.mine(commitments(5));
    const saleUuid = await chainFedSale();
    const cut = new AbortController();
    const [first, second] = [new ScriptedChain(contract), new ScriptedChain(contract)];
    const leaseMs = WATCHED_LEASE_MS;
    await startWorker(saleUuid, first, { client: withoutLeaseAfter(clientOfIndexer(), cut.signal), leaseMs });
    await untilShown(saleUuid, contract);
    await startWorker(saleUuid, second, { leaseMs });
    contract.mine(commitments(6));
    await untilShown(saleUuid, contract);
    expect(second.reads).toBe(0);

    cut.abort();
    await expect.poll(() => second.reads, SOON).toBeGreaterThan(0);
    const readsOfFirst = first.reads;
    contract.mine(commitments(9));
    await untilShown(saleUuid, contract);
    expect(first.reads).toBe(readsOfFirst);
    const { revision } = await saleOf(saleUuid);
    const late = { saleUuid, leaseEpoch: 1n, revision, changeSetOpen: false, maxRows: MAX_ROWS, movePosition: true };
    const snapshot = snapshotOf([upserted(...commitments(2))]);
    const apply = () => refusal(publish(clientOfIndexer(), late, snapshot, new AbortController().signal, () => {}));
    await Promise.all(running.splice(0).map((worker) => worker.stop()));
    expect(await expectUnchanged(service().database, saleUuid, apply)).toMatchObject({ code: "aborted" });
    expect(await shown(saleUuid)).toEqual(expected(contract));
  });

  it("continues after another change of the sale", async () => {
    const { saleUuid, contract } = await followed();
    const { definitionVersion: expectedDefinitionVersion } = await saleOf(saleUuid);
    const definition = auction({ source: evmSource(), name: "Renamed" });
    await service().sales.updateSale({ saleUuid, definition, expectedDefinitionVersion });
    contract.mine(commitments(12));
    await untilShown(saleUuid, contract);
  });

  it("notices that a token was added, which ends the fault", async () => {
    const { saleUuid, contract, worker } = await followed();
    contract.mine([...contract.rows, commitment(50, { amounts: [{ wallet: WALLET, token: USDY, amount: 7n }] })]);
    await expect.poll(() => faultOf(saleUuid), SOON).toBe(`add the payment token ${USDY} to the sale`);
    const { definitionVersion: expectedDefinitionVersion } = await saleOf(saleUuid);
    const definition = auction({ source: evmSource(), paymentTokens: [usdx, usdy] });
    const overrideConfirmName = definition.name ?? "";
    const change = { saleUuid, definition, expectedDefinitionVersion, overrideConfirmName };
    await service().sales.updateSale(change);
    worker.listed(await sourceSale(saleUuid));
    await untilShown(saleUuid, contract);
    await expect.poll(() => faultOf(saleUuid), SOON).toBe("");
  });

  it("sweeps on request, and reports the progress", async () => {
    // A reader that gets its lease anew sweeps anew.
    const { saleUuid, contract } = await followed({ leaseMs: LASTING_LEASE_MS });
    expect(contract.sweepsBegun).toBe(1);
    const gate = Promise.withResolvers<void>();
    contract.gate = gate.promise;
    const { sweepRequests } = await service().commitments.requestSweep({ saleUuid });
    const sweepOf = async () => (await statusOf(saleUuid))?.sweep;
    const running = { running: true, rowsDone: 2n, rowsTotal: 10n, sweepRequests };
    await expect.poll(sweepOf, SOON).toMatchObject(running);
    gate.resolve();
    const done = { running: false, rowsDone: 10n, rowsTotal: 10n, sweepRequests };
    await expect.poll(sweepOf, SOON).toMatchObject(done);
    expect(contract.sweepsBegun).toBe(2);
    expect(await statusOf(saleUuid)).toMatchObject({ headHeight: contract.position.height + 2n, behind: 2n });
  });

  it("gives every sale with a source that isn't a draft a worker, and shows the problem of its chain", async () => {
    const contract = new ScriptedContract();
    contract.mine(commitments(2));
    const chain = new ScriptedChain(contract);
    const onChain = (name: string) => auction({ source: evmSource({ chain: name }) });
    const [known, unknown] = [
      await openedSale(service(), onChain("earth")),
      await openedSale(service(), onChain("mars")),
    ];
    const draft = await draftSale(service(), onChain("earth"));
    const begun: string[] = [];
    const assignments = new SaleAssignments({
      ...workerOptions(chain),
      intervalMs: 50,
      startWorker: (sale) => {
        begun.push(sale.uuid);
        const its = sale.chain === "earth" ? chain : unknownChain(sale.chain, ["earth"]);
        return new SaleWorker(workerOptions(its), sale);
      },
    });
    running.push(assignments);
    await untilShown(known, contract);
    const fault = "chain mars isn't configured; configured are earth. Ask the operator to add it";
    await expect.poll(() => faultOf(unknown), SOON).toBe(fault);
    expect(await refusal(service().commitments.getCommitmentData({ saleUuid: unknown }))).toMatchObject({
      code: "unavailable",
    });
    expect(begun).not.toContain(draft);
    await service().sales.openSale({ saleUuid: draft, overrideConfirmName: auction().name ?? "" });
    await untilShown(draft, contract);
    expect(new Set(begun).size).toBe(begun.length);
    expect(assignments.status()).toBe(true);
  });
});

/** A client that can no longer renew its lease once it is cut off. */
function withoutLeaseAfter(client: CommitmentsClient, cut: AbortSignal): CommitmentsClient {
  const { commitments } = client;
  return {
    ...client,
    commitments: {
      ...commitments,
      acquireSaleLease: (request, options) =>
        cut.aborted ? Promise.reject(new Error("cut")) : commitments.acquireSaleLease(request, options),
      renewSaleLeases: (request, options) =>
        cut.aborted ? Promise.reject(new Error("cut")) : commitments.renewSaleLeases(request, options),
    },
  };
}
