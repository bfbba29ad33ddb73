import { describe, expect, it } from "vitest";
import { SourceFault } from "../../chains/base/source-fault.ts";
import type { StoredSale } from "../source-reader.ts";
import { unknownChain } from "./chain-connections.ts";

const forever = new AbortController().signal;
const stored: StoredSale = {
  hasSnapshot: false,
  paymentTokens: [],
  cancelledKeepsAmounts: false,
  async *digests() {},
  records: async () => [],
};

describe("unknownChain", () => {
  it.each([
    [[], "chain mars isn't configured; none is. Ask the operator to add it"],
    [["base", "ethereum"], "chain mars isn't configured; configured are base, ethereum. Ask the operator to add it"],
  ])("says as a fault that somebody must mend what to do: %j", async (configured, message) => {
    const chain = unknownChain("mars", configured);
    const reader = chain.createReader({ saleUuid: "sale", address: "0x" });
    const fault = await reader.next(stored, forever).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(SourceFault);
    expect(fault).toMatchObject({ message, remedy: "mend" });
    expect(await chain.check({ address: "0x" }, forever)).toMatchObject({ readable: false, problems: [message] });
    await expect(chain.checkSigner({ address: "0x", signer: "0x" }, forever)).rejects.toThrow(message);
    await chain.close();
  });
});
