import { randomUUID } from "node:crypto";
import type { SourcePosition } from "../../../common/chains/base/source-position.ts";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CliClients } from "../../../services/cli/cli.ts";
import { openChainSale } from "../chains/chain-sale.ts";
import { FakeEvmChain, OTHER_TOKEN, rowLog, type SaleRow, type SaleState, TOKEN } from "../chains/evm-chain.ts";
import { blockTime, CONTRACT, EvmNode, type NodeBehaviour } from "../chains/evm-node.ts";
import { SALE_UUID } from "../chains/evm-sale-abi.ts";
import { type CliRun, runCliWith } from "../processes/cli.ts";
import type { CommitmentsClients, CommitmentsFixture } from "../processes/commitments-fixture.ts";

const CHAIN = { chainId: 31_337n, contractUrl: "" };
const TOKENS = new Map([
  [TOKEN, { decimals: 6, symbol: "ONE" }],
  [OTHER_TOKEN, { decimals: 6, symbol: "TWO" }],
]);

/** A sale of a fake chain that a commitments service has read. The test plays its reader. */
export class VerifyFixture implements AsyncDisposable {
  readonly chain: FakeEvmChain;
  readonly node: EvmNode;
  readonly service: CommitmentsFixture;
  readonly saleUuid = SALE_UUID;
  #epoch = 0n;
  #published: readonly string[] = [];

  private constructor(service: CommitmentsFixture, chain: FakeEvmChain, node: EvmNode) {
    this.service = service;
    this.chain = chain;
    this.node = node;
  }

  /** Opens the sale, once a service. */
  static async start(service: CommitmentsFixture): Promise<VerifyFixture> {
    const chain = new FakeEvmChain();
    const fixture = new VerifyFixture(service, chain, await EvmNode.start(chain, { tokens: TOKENS }));
    await openChainSale(service, CONTRACT, SALE_UUID, "fake", { tokens: [TOKEN, OTHER_TOKEN] });
    const lease = { saleUuid: SALE_UUID, holder: "reader", duration: { seconds: 300n } };
    fixture.#epoch = (await service.commitments.acquireSaleLease(lease)).epoch;
    return fixture;
  }

  get position(): SourcePosition {
    const { number, hash } = this.chain.head;
    return { height: number, hash };
  }

  /** Mines a block with other rows, which is logged as the reference contract does. */
  mine(rows: readonly SaleRow[], stage = 1, change: Partial<SaleState> = {}): void {
    this.chain.mine(
      { rows, stage, allocates: false, ...change },
      rows.map((row) => rowLog(row)),
    );
  }

  /** Applies the chain's head to the service, as an indexer does. */
  async publish(stage: SaleStage = SaleStage.COMMITMENT): Promise<void> {
    const { rows } = this.chain.head.state;
    const ids = rows.map(({ commitmentId }) => commitmentId);
    await this.service.commitments.applyCommitments({
      saleUuid: this.saleUuid,
      requestId: randomUUID(),
      upserts: rows.map((row, index) => recordMessage({ ...row, sourceIndex: BigInt(index) })),
      removals: this.#published.filter((id) => !ids.includes(id)).map(messageBytes),
      stage,
      sourcePosition: this.#message(),
      leaseEpoch: this.#epoch,
      ...(this.chain.head.state.allocates && { allocationTotals: { accepted: acceptedTotals(rows) } }),
    });
    this.#published = ids;
    await this.report();
  }

  /** Reports that the figures are those of the chain's head. */
  async report(): Promise<void> {
    await this.service.commitments.reportSourceStatus({
      saleUuid: this.saleUuid,
      leaseEpoch: this.#epoch,
      headHeight: this.chain.head.number,
      asOf: this.#message(),
      blockTimeSeconds: blockTime(this.chain.head.number),
      readInterval: { seconds: 1n },
      chain: CHAIN,
    });
  }

  /** Runs `verify` with the services' clients. */
  verify(clients: CommitmentsClients = this.service, ...args: string[]): Promise<CliRun> {
    return runCliWith(clients as CliClients, ["verify", this.saleUuid, "--rpc", this.node.url, ...args]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.node[Symbol.asyncDispose]();
  }

  #message() {
    return { height: this.position.height, hash: messageBytes(this.position.hash) };
  }
}

/** The sums of what is accepted of rows, by token. */
function acceptedTotals(rows: readonly SaleRow[]) {
  const amounts = rows.flatMap(({ accepted = [] }) => accepted);
  const byToken = Map.groupBy(amounts, ({ token }) => token);
  return Array.from(byToken, ([token, each]) => ({
    token,
    amount: each.reduce((sum, { amount }) => sum + amount, 0n).toString(),
  }));
}

/** A node without the state of blocks before its head. @param from the oldest block that it has */
export function prunedBefore(chain: FakeEvmChain, from: () => bigint): NodeBehaviour["interfere"] {
  return ({ method, params }) => {
    if (method !== "eth_call") return undefined;
    const at = params[1] as { blockHash?: string } | string;
    const block = typeof at === "string" ? chain.at(BigInt(at)) : chain.byHash(at.blockHash?.slice(2) ?? "");
    if (block === undefined || block.number >= from()) return undefined;
    return { kind: "error", code: -32000, message: "missing trie node 1234 (path ) state is not available" };
  };
}
