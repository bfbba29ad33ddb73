import { randomUUID } from "node:crypto";
import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { toServiceError } from "../../../common/platform/rpc/errors.ts";
import type { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type {
  ApplyCommitmentsRequestSchema,
  ApplyCommitmentsResponse,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { type SaleDefinitionSchema, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CommitmentsClients } from "../processes/commitments-fixture.ts";

export const USDX = `0x${"a1".repeat(20)}`;
export const USDY = `0x${"a2".repeat(20)}`;
export const WALLET = `0x${"b1".repeat(20)}`;
/** Base58 of 32 bytes. */
export const MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** The plain object that a message can be made of. */
type Init<Schema extends DescMessage> = Exclude<MessageInitShape<Schema>, Message>;
export type DefinitionInit = Init<typeof SaleDefinitionSchema>;
export type RecordInit = Init<typeof CommitmentRecordSchema>;
export type ApplyInit = Omit<Init<typeof ApplyCommitmentsRequestSchema>, "saleUuid">;

export const usdx = { address: USDX, decimals: 6, usdStablecoin: true };

/** An auction, fed by RPC, that clears at the highest of 10, 15, 20, … with a demand of 100 times as much. */
export function auction(change: DefinitionInit = {}): DefinitionInit {
  return {
    name: "Auction",
    paymentTokens: [usdx],
    offeredTokenDecimals: 18,
    priceTick: { numerator: "1", denominator: "1000" },
    pricing: auctionPricing(),
    ...change,
  };
}

export function auctionPricing(change: { offeredAmount?: string; floorTicks?: string; incrementTicks?: string } = {}) {
  const value = { offeredAmount: "100000", floorTicks: "10", incrementTicks: "5", ...change };
  return { case: "auction" as const, value };
}

export function fixedPricing(priceTicks: bigint) {
  return { case: "fixed" as const, value: { priceTicks: String(priceTicks) } };
}

export function evmSource(change: { chain?: string; contract?: string; contractVersion?: number } = {}) {
  return { case: "evm" as const, value: { chain: "ethereum", contract: `0x${"c1".repeat(20)}`, ...change } };
}

/** An ID of `length` bytes that ends in `number`. */
export function idBytes(number: number, length = 32): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(length - 4, number);
  return bytes;
}

/** The number that `idBytes` was made of. */
export function numberOf(id: Uint8Array): number {
  return new DataView(id.buffer, id.byteOffset, id.byteLength).getUint32(id.length - 4);
}

export function amountOf(amount: bigint | string, token = USDX) {
  return { wallet: WALLET, token, amount: amount.toString() };
}

/** A commitment of 1,000 smallest units at 10 ticks by default. */
export function record(number: number, change: RecordInit = {}): RecordInit {
  return {
    commitmentId: idBytes(number),
    entityId: idBytes(number, 16),
    createdAtSeconds: 1_769_860_800n,
    priceTicks: "10",
    amounts: [amountOf(1_000n)],
    ...change,
  };
}

/** Creates a draft. @returns its UUID. */
export async function draftSale({ sales }: CommitmentsClients, definition: DefinitionInit = auction()) {
  const saleUuid = randomUUID();
  await sales.createSale({ saleUuid, tenancy: Tenancy.TEST, definition });
  return saleUuid;
}

/**
 * Creates and opens a sale, whatever its source.
 *
 * @param beforeOpening makes it ready to be opened, where that takes more than its definition
 * @returns its UUID
 */
export async function openedSale(
  clients: CommitmentsClients,
  definition = auction(),
  beforeOpening?: (saleUuid: string) => Promise<unknown>,
): Promise<string> {
  const saleUuid = await draftSale(clients, definition);
  await beforeOpening?.(saleUuid);
  await clients.sales.openSale({ saleUuid, overrideConfirmName: definition.name ?? "" });
  return saleUuid;
}

/** Applies under a new request ID. */
export function apply(
  { commitments }: Pick<CommitmentsClients, "commitments">,
  saleUuid: string,
  request: ApplyInit,
): Promise<ApplyCommitmentsResponse> {
  return commitments.applyCommitments({ requestId: randomUUID(), ...request, saleUuid });
}

/** Applies as the reader of a sale's contract, whose lease it acquires. @returns the epoch of the lease. */
export async function applyUnderLease(
  clients: Pick<CommitmentsClients, "commitments">,
  saleUuid: string,
  request: ApplyInit = {},
): Promise<bigint> {
  const lease = { saleUuid, holder: "reader", duration: { seconds: 60n } };
  const { epoch: leaseEpoch } = await clients.commitments.acquireSaleLease(lease);
  await apply(clients, saleUuid, { ...request, leaseEpoch });
  return leaseEpoch;
}

/** Error of a call that must fail. */
export async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  const answer = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (answer === undefined) throw new Error("the call was expected to fail");
  const error = toServiceError(answer);
  if (error === undefined) throw answer;
  return error;
}

/** The fields that a call which must fail as `invalid_argument` names. */
export async function violatedFields(call: Promise<unknown>): Promise<string[]> {
  const { code, violations, message } = await refusal(call);
  if (code !== "invalid_argument") throw new Error(`expected invalid_argument, got ${code}: ${message}`);
  return violations.map(({ field }) => field);
}
