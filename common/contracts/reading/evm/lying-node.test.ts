import fc from "fast-check";
import { encodeFunctionData } from "viem/utils";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../services/demo/bidders/random.ts";
import type { FakeEvmChain } from "../../../../test/support/chains/evm-chain.ts";
import { rowLog, saleRow, saleRows, TOKEN } from "../../../../test/support/chains/evm-chain.ts";
import type { Interference, NodeBehaviour, RpcRequest } from "../../../../test/support/chains/evm-node.ts";
import { ReaderFixture } from "../../../../test/support/chains/evm-reader-fixture.ts";
import { answerSaleCall, saleAbi } from "../../../../test/support/chains/evm-sale-abi.ts";
import { SourceFault } from "../../../chains/base/source-fault.ts";
import type { EvmFamily } from "../../evm-family.ts";
import { ROW_TOPICS, STAGE_TOPIC } from "../../reference/evm/abi.ts";
import { REFERENCE_FAMILY } from "../../reference/evm/reference-family.ts";

const RUNS = process.env["TEST_LONG"] === "1" ? 400 : 6;
/** Timeout for all runs, each of which makes a few hundred requests, on a busy machine as well. */
const TIMEOUT_MS = 30_000 * RUNS;
const STEPS = 25;
/** Reads after the last lie until the store is up to date. An older head alone needs several. */
const READS_TO_RECOVER = 40;
const LIES_PER_REQUEST = 0.08;

/** Long enough for every honest answer, and short enough for many timeouts. */
const REQUEST_TIMEOUT_MS = 250;

const FAST = { chunkRows: 5, maxConcurrency: 4, requestTimeoutMs: REQUEST_TIMEOUT_MS };

/** Stages in which there may be allocations. */
const SETTLING = [3, 4];

type Lie = (request: RpcRequest, honest: unknown, chain: FakeEvmChain, random: Random) => Interference | undefined;

const LIES: readonly Lie[] = [
  () => ({ kind: "status", status: 429 }),
  () => ({ kind: "status", status: 429, headers: { "retry-after": "1" } }),
  () => ({ kind: "status", status: 500 }),
  () => ({ kind: "truncated" }),
  () => ({ kind: "error", code: -32000, message: "header not found" }),
  () => ({ kind: "error", code: -32000, message: "out of gas" }),
  () => ({ kind: "error", code: -32005, message: "limit exceeded" }),
  () => ({ kind: "error", code: -32603, message: "internal error" }),
  () => ({ kind: "result", result: "0x" }),
  () => ({ kind: "result", result: null }),
  () => ({ kind: "result", result: [] }),
  fewerLogs,
  // Rare, because each takes a whole timeout.
  (_request, _honest, _chain, random) => (random.next() < 0.15 ? { kind: "silence" } : undefined),
  staleHeight,
  wrongHash,
  shortArray,
];

/** Logs without those of one kind in one block. */
function fewerLogs({ method }: RpcRequest, honest: unknown, _: FakeEvmChain, random: Random): Interference | undefined {
  if (method !== "eth_getLogs" || !Array.isArray(honest)) return undefined;
  const one = random.pick(honest as readonly NodeLog[]);
  const isAlike = ({ blockHash, topics }: NodeLog) => blockHash === one?.blockHash && topics[0] === one.topics[0];
  return { kind: "result", result: honest.filter((log: NodeLog) => !isAlike(log)) };
}

interface NodeLog {
  readonly blockHash: string;
  readonly topics: readonly string[];
}

/** Whether an answer about logs has fewer than there are, and looks like a right one. */
function lacksLogs({ method }: RpcRequest, lie: Interference | undefined): boolean {
  const isAboutLogs = method === "eth_getLogs" || method === "eth_getBlockReceipts";
  return isAboutLogs && lie?.kind === "result" && Array.isArray(lie.result);
}

function staleHeight(
  { method, params }: RpcRequest,
  _: unknown,
  chain: FakeEvmChain,
  random: Random,
): Interference | undefined {
  const older = chain.at(BigInt(random.integer(0, Number(chain.head.number))));
  if (method !== "eth_getBlockByNumber" || params[0] !== "latest" || older === undefined) return undefined;
  const { number, hash, parentHash } = older;
  return {
    kind: "result",
    result: { number: `0x${number.toString(16)}`, hash: `0x${hash}`, parentHash: `0x${parentHash}` },
  };
}

function wrongHash({ method }: RpcRequest, honest: unknown, _: FakeEvmChain, random: Random): Interference | undefined {
  if (method !== "eth_getBlockByNumber" || honest === null) return undefined;
  const hash = `0x${random
    .integer(0, 2 ** 30)
    .toString(16)
    .padStart(64, "f")}`;
  return { kind: "result", result: { ...(honest as object), hash } };
}

/** A valid encoding with one row too few. */
function shortArray({ functionName }: RpcRequest, honest: unknown, { head }: FakeEvmChain): Interference | undefined {
  const isOfRows = functionName === "readCommitmentDataIn" || functionName === "readEntityAllocationDataIn";
  if (!isOfRows || typeof honest !== "string") return undefined;
  const count = BigInt(`0x${honest.slice(66, 130)}`);
  if (count === 0n || count > BigInt(head.state.rows.length)) return undefined;
  const data = encodeFunctionData({ abi: saleAbi, functionName, args: [0n, count - 1n] });
  return { kind: "result", result: answerSaleCall(head.state, data)?.result };
}

/** A random change of a sale that logs like the reference sale. */
function changeSale(chain: FakeEvmChain, random: Random): void {
  const { rows } = chain.head.state;
  const index = random.integer(0, rows.length);
  const row = rows[index];
  if (row === undefined) {
    chain.put(rows.length, saleRow(1 + random.integer(0, 1_000_000_000)));
    return;
  }
  const amounts = row.amounts.map((amount) => ({ ...amount, amount: amount.amount + 1n }));
  const changes = [
    () => chain.put(index, { ...row, amounts }, ROW_TOPICS.commitmentIncreased),
    () => chain.put(index, { ...row, priceTicks: row.priceTicks + 1n }),
    () => chain.put(index, { ...row, refunded: true, amounts: [] }, ROW_TOPICS.entityRefunded),
    () => chain.mine({ stage: random.integer(0, 4) }),
    () =>
      chain.mine(
        { rows: rows.map((each) => ({ ...each, lockup: !each.lockup })) },
        rows.map((each) => rowLog(each)),
      ),
  ];
  random.pick(changes)?.();
}

/** A random change of a sale in its settlement, of a contract that says what it accepts, with the stages around it. */
function changeSettlingSale(chain: FakeEvmChain, random: Random): void {
  const { rows, stage } = chain.head.state;
  const index = random.integer(0, Math.max(0, rows.length - 1));
  const row = rows[index];
  if (stage < 3 || row === undefined || random.next() < 0.1) {
    if (rows.length < 3) chain.put(rows.length, saleRow(1 + random.integer(0, 1_000_000_000)));
    else chain.mine({ stage: random.pick([1, 3, 3, 4]) ?? 3, allocates: true }, [{ topics: [STAGE_TOPIC] }]);
    return;
  }
  const { accepted: _, ...rest } = row;
  const [first] = row.amounts;
  const amount = BigInt(random.integer(0, 3));
  const next = first === undefined || amount === 0n ? rest : { ...rest, accepted: [{ ...first, amount }] };
  chain.put(index, next, ROW_TOPICS.allocationSet);
}

/** A random change of a sale that logs nothing, and removes and moves rows. */
function changeSilentSale(chain: FakeEvmChain, random: Random): void {
  const { rows } = chain.head.state;
  const index = random.integer(0, Math.max(0, rows.length - 1));
  const changes = [
    () => [...rows, saleRow(1 + random.integer(0, 1_000_000_000))],
    () => [...rows, saleRow(1 + random.integer(0, 1_000_000_000)), saleRow(1 + random.integer(0, 1_000_000_000))],
    () => rows.toSpliced(index, 1),
    () => rows.toReversed(),
    () =>
      rows.map((row, at) => (at === index ? { ...row, amounts: [{ wallet: TOKEN, token: TOKEN, amount: 3n }] } : row)),
  ];
  chain.mine({ rows: random.pick(changes)?.() ?? rows });
}

/** New rows of a sale whose rows never change. */
function appendRows(chain: FakeEvmChain, random: Random): void {
  const { rows } = chain.head.state;
  chain.mine({ rows: [...rows, ...saleRows(random.integer(0, 2), 1 + random.integer(0, 1_000_000_000))] });
}

function reorganise(chain: FakeEvmChain, random: Random, change: (chain: FakeEvmChain, random: Random) => void): void {
  const depth = random.integer(1, 6);
  chain.drop(depth);
  for (let block = random.integer(0, depth + 1); block > 0; block -= 1) change(chain, random);
}

/** Expects users to see the contract's state at the store's block; what is accepted only where they are told that it is known. */
function expectTruth({ store, chain }: ReaderFixture): void {
  if (store.position === undefined) return;
  const state = chain.byHash(store.position.hash)?.state;
  const isKnown = store.allocationTotals !== undefined;
  if (isKnown) expect(SETTLING).toContain(state?.stage);
  const shown = state?.rows.map(({ accepted, ...row }) => (isKnown && accepted ? { ...row, accepted } : row));
  expect(store.visible).toEqual(shown?.map((row, index) => ({ ...row, sourceIndex: BigInt(index) })));
}

async function readIgnoringFaults(fixture: ReaderFixture): Promise<void> {
  await fixture.read().catch((error: unknown) => {
    if (!(error instanceof SourceFault)) throw error;
  });
  expectTruth(fixture);
}

/** A family whose rows never change. */
const FIXED: EvmFamily = { ...REFERENCE_FAMILY, rowsAreFixed: true };
const BARE: Partial<NodeBehaviour> = {
  hasLogs: false,
  hasReceipts: false,
  absentFunctions: new Set(["totalCommittedAmountByToken"]),
};

/** The number is that of runs: fewer where most of the code is that of another kind. */
const SALES: readonly [string, typeof changeSale, Partial<NodeBehaviour>, number, EvmFamily?][] = [
  ["whose rows never change", appendRows, BARE, RUNS, FIXED],
  ["that logs", changeSale, {}, RUNS],
  ["in its settlement", changeSettlingSale, {}, Math.ceil(RUNS / 3)],
  ["whose node takes no block hashes", changeSale, { byNumberOnly: true }, RUNS],
  [
    "without logs and optional functions",
    changeSilentSale,
    { absentFunctions: new Set(["stage", "totalCommittedAmountByToken", "saleUUID"]), maxRows: 3 },
    RUNS,
  ],
];

describe("with a lying node and a chain that is re-organised", () => {
  it.each(SALES)(
    "the figures of a sale %s are never wrong, only late",
    { timeout: TIMEOUT_MS },
    async (_, change, behaviour, numRuns, family) => {
      await fc.assert(
        fc.asyncProperty(fc.integer(), async (seed) => {
          const random = new Random(seed);
          await using fixture = await ReaderFixture.start(behaviour, FAST, family);
          const { chain, node, clock } = fixture;
          for (let row = random.integer(0, 30); row > 0; row -= 1) change(chain, random);
          let hasHiddenLogs = false;
          node.behaviour.interfere = (request, honest) => {
            // The chain advances during the read.
            if (random.next() < 0.05) change(chain, random);
            if (random.next() < 0.01) reorganise(chain, random, change);
            if (random.next() >= LIES_PER_REQUEST) return undefined;
            const lie = random.pick(LIES)?.(request, honest, chain, random);
            if (!lacksLogs(request, lie)) return lie;
            // One in each read: a second question to the same node is of no use if it lies again.
            if (hasHiddenLogs) return undefined;
            hasHiddenLogs = true;
            return lie;
          };
          for (let step = 0; step < STEPS; step += 1) {
            clock.advance(random.integer(0, 100_000));
            change(chain, random);
            if (random.next() < 0.15) reorganise(chain, random, change);
            if (random.next() < 0.05) fixture.restart();
            hasHiddenLogs = false;
            await readIgnoringFaults(fixture);
          }
          node.behaviour.interfere = () => undefined;
          for (let snapshot = 0; snapshot < READS_TO_RECOVER; snapshot += 1) {
            clock.advance(60_000);
            await readIgnoringFaults(fixture);
          }
          expect(fixture.store.position).toMatchObject({ height: chain.head.number, hash: chain.head.hash });
          const { stage, allocates = false } = chain.head.state;
          expect(fixture.store.allocationTotals !== undefined).toBe(allocates && SETTLING.includes(stage));
        }),
        { numRuns },
      );
    },
  );
});
