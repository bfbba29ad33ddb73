import { randomUUID } from "node:crypto";
import type { Hex } from "viem";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import { commitmentDigest } from "../../../common/sale/record/commitment-digest.ts";
import { heightRead } from "../../../common/sale/state/height-read.ts";
import type { ListedCommitment } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { commitmentOf } from "../../../services/indexer/sending/stored-sale.ts";
import type { CommitmentsProcess } from "../processes/commitments-process.ts";
import { until } from "../repository/polling.ts";
import { SALE_UUID, TOKENS } from "./sale-contract.ts";

const NAME = "On a chain";

type Clients = Pick<CommitmentsProcess, "sales" | "commitments">;

export interface ChainSaleOptions {
  /** `TOKENS` by default. */
  readonly tokens?: readonly string[];
  readonly cancelledKeepsAmounts?: boolean;
  /** None by default. */
  readonly contractVersion?: number;
  /** Makes the sale ready to be opened, where that takes more than its definition. */
  readonly beforeOpening?: ((saleUuid: string) => Promise<unknown>) | undefined;
}

/** Opens an auction that is read from a contract, whatever the contract is. */
export async function openChainSale(
  { sales }: Clients,
  contract: string,
  saleUuid: string = randomUUID(),
  chain = "local",
  { tokens = TOKENS, cancelledKeepsAmounts = false, contractVersion = 0, beforeOpening }: ChainSaleOptions = {},
): Promise<string> {
  await sales.createSale({
    saleUuid,
    tenancy: Tenancy.TEST,
    definition: {
      name: NAME,
      paymentTokens: tokens.map(paymentToken),
      offeredTokenDecimals: 18,
      priceTick: { numerator: "1", denominator: "1000" },
      pricing: { case: "auction", value: { offeredAmount: "1000", floorTicks: "1", incrementTicks: "1" } },
      source: { case: "evm", value: { chain, contract, contractVersion } },
      cancelledKeepsAmounts,
    },
  });
  await beforeOpening?.(saleUuid);
  await sales.openSale({ saleUuid, overrideConfirmName: NAME });
  return saleUuid;
}

/** A payment token as the sales of tests define it. */
export function paymentToken(address: string) {
  return { address, decimals: 6, usdStablecoin: true };
}

/** The UUID in the sample contract. */
export const CONTRACT_SALE_UUID = [8, 12, 16, 20].reduceRight(
  (text, at) => `${text.slice(0, at)}-${text.slice(at)}`,
  SALE_UUID.slice(2),
);

/** A sale's UUID in the form of its contract. */
export function contractUuid(saleUuid: string): Hex {
  return `0x${saleUuid.replaceAll("-", "")}`;
}

/** Waits, at most `POLL_TIMEOUT_MS`, until a sale has been read up to a height. */
export async function untilReadTo(
  { sales }: Clients,
  saleUuid: string,
  height: bigint,
  intervalMs?: number,
): Promise<void> {
  const isRead = async () => {
    const { sourcePosition, feedState } = (await sales.getSale({ saleUuid })).sale ?? {};
    return (heightRead(sourcePosition, feedState?.asOf?.position) ?? -1n) >= height;
  };
  await until(isRead, intervalMs);
}

/** All stored commitments in a form that compares by value, in any order. */
export async function storedRows({ commitments }: Clients, saleUuid: string): Promise<readonly string[]> {
  const rows: string[] = [];
  let pageToken = "";
  do {
    const page = await commitments.listCommitments({ saleUuid, pageSize: 500, pageToken });
    rows.push(...page.commitments.map(rowOfListed));
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return rows.sort();
}

function rowOfListed({ record }: ListedCommitment): string {
  if (record === undefined) throw new Error("a listed commitment must have a record");
  return rowOf(commitmentOf(record));
}

/** Commitments from a contract in the same form. */
export function directRows(commitments: readonly SourceCommitment[]): readonly string[] {
  return commitments.map(rowOf).sort();
}

function rowOf(commitment: SourceCommitment): string {
  const digest = commitmentDigest(commitment);
  return `${commitment.commitmentId} at ${commitment.sourceIndex}: ${digest}`;
}
