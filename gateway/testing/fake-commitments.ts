import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import type { CommitmentDataSchema } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import {
  CommitmentService,
  type GetPositionResponseSchema,
  type ListWalletAllocationsResponseSchema,
  type PriceLevelSchema,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { HistoryPointSchema } from "../../proto/gen/tidemark/commitments/v1/history_pb.ts";
import {
  type FeedStateSchema,
  SaleStatus,
  type SaleSummarySchema,
} from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SourcePositionSchema } from "../../proto/gen/tidemark/commitments/v1/source_position_pb.ts";

export const SALE = "11111111-1111-4111-8111-111111111111";
export const OTHER_SALE = "22222222-2222-4222-8222-222222222222";

/** A sale of the fake. Tests distinguish its states by the total. */
export interface FakeSale {
  generation: bigint;
  revision: bigint;
  data: MessageInitShape<typeof CommitmentDataSchema>;
  /** Whether its contract hasn't been read yet. */
  isUnread?: boolean;
  sale?: MessageInitShape<typeof SaleSummarySchema>;
  feedState?: MessageInitShape<typeof FeedStateSchema>;
  committedAt?: Timestamp;
  changedPosition?: MessageInitShape<typeof SourcePositionSchema>;
  /** The answer to every look-up of a wallet. */
  position?: MessageInitShape<typeof GetPositionResponseSchema>;
  /** The answer to the list of its allocations, whatever the page. */
  allocations?: MessageInitShape<typeof ListWalletAllocationsResponseSchema>;
  /** Its figures over time; one period with those of now unless a test says another. */
  points?: readonly MessageInitShape<typeof HistoryPointSchema>[];
  /** Its demand by price; one level with its total unless a test says another. */
  levels?: readonly MessageInitShape<typeof PriceLevelSchema>[];
}

/** The facts of a sale besides its figures. */
export const SUMMARY = {
  name: "A sale",
  status: SaleStatus.OPEN,
  fixedPrice: { numerator: "1", denominator: "2" },
  paymentTokens: [{ address: "0xa1", decimals: 6 }],
} satisfies MessageInitShape<typeof SaleSummarySchema>;

/** Returns a sale whose `TotalCommitmentAmount` is the revision. */
export function saleAt(revision: bigint, generation = 1n): FakeSale {
  return { generation, revision, data: { totalAmount: String(revision), paymentTokenDecimals: 6 } };
}

/** A commitments service in memory, asked through Connect's own client, that fails and hangs on command. */
export class FakeCommitments {
  readonly sales = new Map<string, FakeSale>();
  /** Sales of the calls of `GetCommitmentData`, in order. */
  readonly loads: string[] = [];
  readonly refreshes: number[] = [];
  /** Sales of the answers of `ListChangedSales`, in order of the calls. */
  readonly lists: string[][] = [];
  /** Whether `ListChangedSales` can say what has changed, or isn't there. */
  changeLists: "complete" | "incomplete" | "absent" = "complete";
  /** Each sale as it was at the last call. */
  #listed: ReadonlyMap<string, string> = new Map();
  /** Calls of `ListPublicSales`. */
  publicLists = 0;
  /** Requests of the calls of `GetPosition`, in order. */
  readonly positions: { saleUuid: string; wallet: string; pageToken: string }[] = [];
  /** Requests of the calls of `ListWalletAllocations`, in order. */
  readonly allocationLists: { saleUuid: string; pageSize: number; pageToken: string }[] = [];
  /** Method and sale of each `GetHistory` and `GetPriceLevels`. */
  readonly documents: string[] = [];
  /** Images of the logos of sales, by their hash. */
  readonly logos = new Map<string, Uint8Array>();
  /** Error with which every call fails while it is set. */
  failure: ConnectError | undefined;
  /** Whether `GetCommitmentData` fails, and no other call. */
  failLoads = false;
  #gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;

  readonly client = createClient(
    CommitmentService,
    createRouterTransport(({ service }) =>
      service(CommitmentService, {
        getCommitmentData: async ({ saleUuid, allowUnread }) => {
          this.loads.push(saleUuid);
          // The answer is the state at the time of the call, however long it takes.
          const sale = this.sales.get(saleUuid);
          await this.#pass();
          if (this.failLoads) throw new ConnectError("the fake fails on command", Code.Unavailable);
          if (sale === undefined) throw new ConnectError("no such sale", Code.NotFound);
          if (!sale.isUnread) return { ...sale };
          if (!allowUnread) throw new ConnectError("not read yet", Code.Unavailable);
          return { ...sale, data: undefined };
        },
        getRevisions: async ({ saleUuids }) => {
          this.refreshes.push(saleUuids.length);
          const revisions = saleUuids.flatMap((saleUuid) => {
            const sale = this.sales.get(saleUuid);
            if (sale === undefined) return [];
            const { generation, revision, feedState } = sale;
            return [{ saleUuid, generation, revision, ...(feedState && { feedState }) }];
          });
          await this.#pass();
          return { revisions };
        },
        listChangedSales: async ({ cursor }) => {
          if (this.changeLists === "absent") throw new ConnectError("no such method", Code.Unimplemented);
          const present = new Map([...this.sales].map(([uuid, sale]) => [uuid, `${sale.generation}:${sale.revision}`]));
          const uuids = new Set([...present.keys(), ...this.#listed.keys()]);
          const changed = [...uuids].filter((uuid) => present.get(uuid) !== this.#listed.get(uuid));
          await this.#pass();
          this.#listed = present;
          this.lists.push(changed);
          return {
            cursor: "next",
            complete: this.changeLists === "complete" && cursor !== "",
            changed: changed.map((saleUuid) => {
              const sale = this.sales.get(saleUuid);
              return { saleUuid, ...(sale && { revision: { saleUuid, ...sale, feedState: undefined } }) };
            }),
          };
        },
        listPublicSales: async () => {
          this.publicLists++;
          await this.#pass();
          const listed = [...this.sales].filter(([, { sale }]) => sale?.presentation?.listed);
          return { sales: listed.map(([saleUuid, { sale }]) => ({ saleUuid, ...(sale && { sale }) })) };
        },
        getPosition: async ({ saleUuid, wallet, pageToken }) => {
          this.positions.push({ saleUuid, wallet, pageToken });
          const position = this.sales.get(saleUuid)?.position;
          await this.#pass();
          if (position === undefined) throw new ConnectError("no such sale", Code.NotFound);
          return position;
        },
        listWalletAllocations: async ({ saleUuid, pageSize, pageToken }) => {
          this.allocationLists.push({ saleUuid, pageSize, pageToken });
          const allocations = this.sales.get(saleUuid)?.allocations;
          await this.#pass();
          if (allocations === undefined) throw new ConnectError("the sale is open", Code.FailedPrecondition);
          return allocations;
        },
        getSaleLogo: async ({ logo }) => {
          await this.#pass();
          const image = this.logos.get(logo);
          if (image === undefined) throw new ConnectError("no such logo", Code.NotFound);
          return { mediaType: "image/png", image };
        },
        getHistory: async ({ saleUuid }) => {
          const { totalAmount = "", clearingPrice } = await this.#document("GetHistory", saleUuid);
          const { points, data } = this.sales.get(saleUuid) ?? {};
          if (points !== undefined)
            return { points: [...points], paymentTokenDecimals: data?.paymentTokenDecimals ?? 6 };
          const point = { fromSeconds: 1_800_000_000n, seconds: 1, totalAmount, commitmentCount: 1n };
          return { points: [{ ...point, ...(clearingPrice && { clearingPrice }) }], paymentTokenDecimals: 6 };
        },
        getPriceLevels: async ({ saleUuid }) => {
          const { clearingPrice, totalAmount = "" } = await this.#document("GetPriceLevels", saleUuid);
          if (clearingPrice === undefined) throw new ConnectError("no auction", Code.FailedPrecondition);
          const { levels, data } = this.sales.get(saleUuid) ?? {};
          if (levels !== undefined)
            return { levels: [...levels], clearingPrice, paymentTokenDecimals: data?.paymentTokenDecimals ?? 6 };
          const price = { numerator: "1", denominator: "2" };
          const level = { lowestPrice: price, highestPrice: price, amount: totalAmount, cumulativeAmount: totalAmount };
          return { levels: [{ ...level, commitmentCount: 2n ** 63n }], clearingPrice, paymentTokenDecimals: 6 };
        },
      }),
    ),
  );

  fail(code: Code = Code.Unavailable): void {
    this.failure = new ConnectError("the fake fails on command", code);
  }

  recover(): void {
    this.failure = undefined;
  }

  /** Lets calls hang from now on, until `release`. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = { opened: promise, open: resolve };
  }

  release(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  async #document(method: string, saleUuid: string): Promise<FakeSale["data"]> {
    this.documents.push(`${method} ${saleUuid}`);
    const data = this.sales.get(saleUuid)?.data;
    await this.#pass();
    if (data === undefined) throw new ConnectError("no such sale", Code.NotFound);
    return data;
  }

  async #pass(): Promise<void> {
    await this.#gate?.opened;
    if (this.failure !== undefined) throw this.failure;
  }
}
