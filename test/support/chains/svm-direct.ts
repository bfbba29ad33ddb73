import type { Buffer } from "node:buffer";
import { base58 } from "@scure/base";

/** The state of a sale's accounts, in a form that compares by value. Decoded without the indexer's code. */
export interface SvmFigures {
  readonly stage: number;
  /** Sum of the bids that count, in smallest units of the payment mint. */
  readonly total: string;
  readonly count: bigint;
  /** Every bid with an amount, in the form of `svmRow`, sorted. */
  readonly rows: readonly string[];
}

export interface SvmRow {
  readonly commitmentId: string;
  readonly createdAtSeconds: bigint;
  readonly priceTicks: bigint;
  readonly lockup: boolean;
  readonly refunded: boolean;
  readonly amounts: readonly { readonly wallet: string; readonly token: string; readonly amount: bigint }[];
}

const ENTITY = "92,218,188,5,237,215,13,253";
const BINDING = "51,211,204,185,168,68,52,176";
const DONE = 4;

/** A row as text. */
export function svmRow(row: SvmRow): string {
  const amounts = row.amounts.map(({ wallet, token, amount }) => `${wallet}/${token}=${amount}`).sort();
  const { commitmentId, createdAtSeconds, priceTicks, lockup, refunded } = row;
  return `${commitmentId} ${createdAtSeconds} ${priceTicks} ${lockup} ${refunded} ${amounts.join(" ")}`;
}

/** Decodes all accounts of a sale, including its own. */
export function decodeSvmSale(accounts: ReadonlyMap<string, Buffer>, saleAccount: string): SvmFigures {
  const sale = accounts.get(saleAccount);
  if (sale === undefined) throw new Error("there is no sale account");
  const token = base58.encode(sale.subarray(56, 88));
  const stage = sale.readUInt8(184);
  const bindings = Map.groupBy(ofKind(accounts, BINDING), (data) => data.toString("hex", 40, 56));
  const rows = ofKind(accounts, ENTITY)
    .map((data) => rowOf(data, bindings.get(data.toString("hex", 9, 25)) ?? [], token))
    .filter(({ amounts }) => amounts.length > 0);
  const counted = rows.filter(({ refunded }) => stage === DONE || !refunded);
  const total = counted.flatMap(({ amounts }) => amounts).reduce((sum, { amount }) => sum + amount, 0n);
  return { stage, total: total.toString(), count: BigInt(counted.length), rows: rows.map(svmRow).sort() };
}

function ofKind(accounts: ReadonlyMap<string, Buffer>, discriminator: string): readonly Buffer[] {
  return [...accounts.values()].filter((data) => data.subarray(0, 8).join(",") === discriminator);
}

function rowOf(data: Buffer, bindings: readonly Buffer[], token: string): SvmRow {
  return {
    commitmentId: data.toString("hex", 9, 25).padEnd(64, "0"),
    createdAtSeconds: data.readBigInt64LE(92),
    priceTicks: data.readBigUInt64LE(73),
    lockup: data.readUInt8(81) === 1,
    refunded: data.readUInt8(82) === 1,
    amounts: bindings
      .map((binding) => ({
        wallet: base58.encode(binding.subarray(56, 88)),
        token,
        amount: binding.readBigUInt64LE(88),
      }))
      .filter(({ amount }) => amount > 0n),
  };
}
