import { decodeFunctionData, encodeFunctionResult, parseAbi, toFunctionSelector } from "viem/utils";
import { SALE_FUNCTIONS } from "../../../common/contracts/reference/evm/abi.ts";
import type { SaleRow, SaleState } from "./evm-chain.ts";

const ROLES = ["function hasRole(bytes32 role, address account) view returns (bool)"] as const;
export const saleAbi = parseAbi([...SALE_FUNCTIONS, ...ROLES]);
const SELECTORS: ReadonlySet<string> = new Set(
  saleAbi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : [])),
);

/** keccak256("PURCHASE_PERMIT_SIGNER_ROLE"), as the facts about the reference contract give it. */
const SIGNER_ROLE = "0xb0162d5e61a8d5e2c26413420aa1072eaa0a79f8be9b289410cf8a1b65ce5386";

export const SALE_UUID = "00112233-4455-4677-8899-aabbccddeeff";

type Hex = `0x${string}`;

/** The answer of a sale contract in a state; undefined if the call reverts, as one of a function does that it doesn't have. */
export function answerSaleCall(state: SaleState, data: Hex): { name: string; result: Hex } | undefined {
  if (!SELECTORS.has(data.slice(0, 10))) return undefined;
  const { functionName: name, args } = decodeFunctionData({ abi: saleAbi, data });
  switch (name) {
    case "numCommitments":
      return {
        name,
        result: encodeFunctionResult({ abi: saleAbi, functionName: name, result: BigInt(state.rows.length) }),
      };
    case "stage":
      return { name, result: encodeFunctionResult({ abi: saleAbi, functionName: name, result: state.stage }) };
    case "version": {
      if (state.version === undefined) return undefined;
      return { name, result: encodeFunctionResult({ abi: saleAbi, functionName: name, result: state.version }) };
    }
    case "saleUUID": {
      const result = `0x${SALE_UUID.replaceAll("-", "")}` as const;
      return { name, result: encodeFunctionResult({ abi: saleAbi, functionName: name, result }) };
    }
    case "paymentTokens": {
      const result = [...sumsOf(state).keys()];
      return { name, result: encodeFunctionResult({ abi: saleAbi, functionName: name, result }) };
    }
    case "totalCommittedAmountByToken": {
      const result = [...sumsOf(state)].map(([token, amount]) => ({ token, amount }));
      return { name, result: encodeFunctionResult({ abi: saleAbi, functionName: name, result }) };
    }
    case "readCommitmentDataIn": {
      const [from, to] = args;
      if (from > to || to > state.rows.length) return undefined;
      return { name, result: encodeRows(state.rows.slice(Number(from), Number(to))) };
    }
    case "numEntityAllocations": {
      if (!state.allocates) return undefined;
      return {
        name,
        result: encodeFunctionResult({ abi: saleAbi, functionName: name, result: BigInt(state.rows.length) }),
      };
    }
    case "totalAcceptedAmountByToken": {
      if (!state.allocates) return undefined;
      const result = [...acceptedSumsOf(state)].map(([token, amount]) => ({ token, amount }));
      return { name, result: encodeFunctionResult({ abi: saleAbi, functionName: name, result }) };
    }
    case "readEntityAllocationDataIn": {
      const [from, to] = args;
      if (!state.allocates || from > to || to > state.rows.length) return undefined;
      const rows = state.reversesAllocations ? state.rows.toReversed() : state.rows;
      return { name, result: encodeAllocations(rows.slice(Number(from), Number(to))) };
    }
    case "hasRole": {
      if (state.permitSigner === undefined) return undefined;
      const [role, account] = args;
      const result = role === SIGNER_ROLE && account.toLowerCase() === state.permitSigner;
      return { name, result: encodeFunctionResult({ abi: saleAbi, functionName: name, result }) };
    }
    default:
      return undefined;
  }
}

/** The answer of `readCommitmentDataIn` with these rows. */
export function encodeRows(rows: readonly SaleRow[]): Hex {
  const result = rows.map((row) => ({
    commitmentID: `0x${row.commitmentId}` as const,
    saleSpecificEntityID: `0x${row.entityId}` as const,
    timestamp: row.createdAtSeconds,
    price: row.priceTicks,
    lockup: row.lockup,
    refunded: row.refunded,
    amounts: row.amounts.map(({ wallet, token, amount }) => ({ wallet: wallet as Hex, token: token as Hex, amount })),
    extraData: `0x${Buffer.from(row.extraData).toString("hex")}` as const,
  }));
  return encodeFunctionResult({ abi: saleAbi, functionName: "readCommitmentDataIn", result });
}

/** The answer of `readEntityAllocationDataIn` with what is accepted of these rows, zeros included. */
export function encodeAllocations(rows: readonly SaleRow[]): Hex {
  const result = rows.map(({ entityId, amounts, accepted = [] }) => ({
    saleSpecificEntityID: `0x${entityId}` as const,
    acceptedAmounts: amounts.map(({ wallet, token }) => ({
      wallet: wallet as Hex,
      token: token as Hex,
      amount: accepted.find((each) => each.wallet === wallet && each.token === token)?.amount ?? 0n,
    })),
  }));
  return encodeFunctionResult({ abi: saleAbi, functionName: "readEntityAllocationDataIn", result });
}

function sumsOf({ rows, surplus }: SaleState): ReadonlyMap<Hex, bigint> {
  return sumsByToken(
    rows.flatMap(({ amounts }) => amounts),
    surplus,
  );
}

function acceptedSumsOf({ rows, acceptedSurplus = 0n }: SaleState): ReadonlyMap<Hex, bigint> {
  return sumsByToken(
    rows.flatMap(({ accepted = [] }) => accepted),
    acceptedSurplus,
  );
}

function sumsByToken(amounts: SaleRow["amounts"], surplus: bigint): ReadonlyMap<Hex, bigint> {
  const sums = new Map<Hex, bigint>();
  for (const { token, amount } of amounts) sums.set(token as Hex, (sums.get(token as Hex) ?? 0n) + amount);
  const first = sums.keys().next().value;
  if (first !== undefined) sums.set(first, (sums.get(first) ?? 0n) + surplus);
  return sums;
}
