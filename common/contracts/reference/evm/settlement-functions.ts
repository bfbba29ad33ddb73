import type { Allocation } from "../../../sale/record/allocation.ts";

const FUNCTIONS = [
  "struct Allocation { bytes16 entity; address wallet; address token; uint256 acceptedAmount; }",
  "function setAllocations(Allocation[] allocations, bool allowOverwrite)",
  "function finalizeSettlement(uint256 expectedTotalAccepted)",
] as const;

/** The calldata of the functions that settle the reference contract, version 2: `0x` and hex. */
export interface SettlementFunctions {
  /** Sets allocations that aren't set yet, each once. Needs `SETTLER_ROLE`. */
  setAllocations(allocations: readonly Allocation[]): string;
  /** Ends the settlement. Needs `SETTLEMENT_FINALIZER_ROLE`. @param total the sum of all accepted raw amounts */
  finalizeSettlement(total: bigint): string;
}

/** Loads viem with the call, because only a settlement needs it. */
export async function loadSettlementFunctions(): Promise<SettlementFunctions> {
  const { encodeFunctionData, parseAbi } = await import("viem/utils");
  const abi = parseAbi(FUNCTIONS);
  return {
    setAllocations(allocations) {
      const rows = allocations.map(({ entityId, wallet, token, accepted }) => ({
        ...({ entity: `0x${entityId}`, wallet, token } as Record<"entity" | "wallet" | "token", `0x${string}`>),
        acceptedAmount: accepted,
      }));
      return encodeFunctionData({ abi, functionName: "setAllocations", args: [rows, false] });
    },
    finalizeSettlement: (total) => encodeFunctionData({ abi, functionName: "finalizeSettlement", args: [total] }),
  };
}
