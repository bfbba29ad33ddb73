import { type Address, encodeDeployData, type Hex, toFunctionSelector, toFunctionSignature } from "viem";
import { formatAbiItem } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAnvil } from "../../../services/demo/chain/find-anvil.ts";
import { permitSale } from "../../../services/demo/chain/permit-sale.ts";
import { type Anvil, startAnvil } from "../../support/chains/anvil.ts";
import { compileSolidity } from "../../support/chains/compile-solidity.ts";
import {
  NOW,
  PERMIT_SALE_UUID,
  PERMIT_SIGNER,
  permitted,
  VIOLATIONS,
  validAttempt,
} from "../../support/chains/permit-attempt.ts";
import { revertOf } from "../../support/chains/permit-sale.ts";
import { SIGNER_ROLE, signPermit } from "../../support/chains/purchase-permit.ts";
import { TestChain } from "../../support/chains/test-chain.ts";
import { codeBlocks } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

const document = readRepository("docs/contracts.md");
const blocks = codeBlocks(document, "solidity").map(({ code }) => code);
const verifierText = blocks.find((code) => code.includes("contract PermitVerifier")) ?? "";
const ERROR_ROW = /^\| [^|]+ \| `(\w+)(\(.*\))` +\|$/gm;

describe("the permits in docs/contracts.md", () => {
  const rows = [...document.matchAll(ERROR_ROW)].map(([, name = "", parameters]) => ({ name, parameters }));

  it("lists every check that the demo's contract makes, in its order", () => {
    // An empty payload is refused without a name.
    const named = VIOLATIONS.filter(({ error }) => error !== "no named error");
    expect(rows.map(({ name }) => name)).toEqual(named.map(({ error }) => error));
  });

  it("has the errors as the contract declares them", () => {
    const declared = permitSale.abi.filter((entry) => entry.type === "error");
    const selectorOf = new Map(
      declared.map((entry) => [entry.name as string, toFunctionSelector(formatAbiItem(entry))]),
    );
    for (const { name, parameters } of rows) {
      const signature = toFunctionSignature(`function ${name}${parameters}`);
      expect(toFunctionSelector(signature), name).toBe(selectorOf.get(name));
    }
  });

  it("has the same struct twice, and selector and hash of the role", () => {
    const [struct = ""] = blocks.filter((code) => code.trimStart().startsWith("struct PurchasePermitV3"));
    expect(verifierText).toContain(struct.trim());
    expect(document).toContain(`\`${toFunctionSelector("hasRole(bytes32,address)")}\``);
    expect(document).toContain(`\`${SIGNER_ROLE}\``);
  });
});

describe.skipIf(findAnvil() === undefined)("the verifier in docs/contracts.md (anvil)", () => {
  const verifier = compileSolidity("PermitVerifier", verifierText);
  const declared = verifier.abi.filter((entry) => entry.type === "error").map(({ name }) => name);
  let anvil: Anvil;
  let chain: TestChain;
  let contract: Address;
  let wallet: Address;

  beforeAll(async () => {
    // The chain's time passes: an hour is enough for the set-up on any machine.
    anvil = await startAnvil({ timestamp: Number(NOW) - 3_600 });
    chain = await TestChain.connect(anvil);
    [, wallet = chain.account] = await chain.client.getAddresses();
    contract = await chain.deploy(encodeDeployData({ ...verifier, args: [PERMIT_SALE_UUID] }));
    await chain.send({
      address: contract,
      abi: verifier.abi,
      functionName: "setSigner",
      args: [PERMIT_SIGNER.address, true],
    });
    await chain.client.setNextBlockTimestamp({ timestamp: NOW });
    await chain.mine();
  });
  afterAll(() => anvil?.stop());

  /** The name of the error, or `accepted`. */
  async function judged(change: (attempt: ReturnType<typeof validAttempt>) => void): Promise<unknown> {
    const attempt = validAttempt(wallet, contract);
    change(attempt);
    const { permit, bid, signer, spoil } = attempt;
    const signature: Hex = spoil(await signPermit(signer, permit));
    const args = [bid.amount, bid.price, bid.lockup, permit, signature];
    const call = { address: contract, abi: verifier.abi, functionName: "checkBid", args, account: wallet };
    const [outcome] = await revertOf(chain.client.simulateContract(call));
    return outcome;
  }

  it("knows its signer as Tidemark asks it", async () => {
    const call = { address: contract, abi: verifier.abi, functionName: "hasRole" } as const;
    expect(await chain.client.readContract({ ...call, args: [SIGNER_ROLE, PERMIT_SIGNER.address] })).toBe(true);
    expect(await chain.client.readContract({ ...call, args: [SIGNER_ROLE, wallet] })).toBe(false);
  });

  it("accepts exactly what the permit says", async () => {
    expect(await judged(() => {})).toBe("accepted");
    expect(await judged(permitted({ opensAt: NOW + 1n }))).toBe("BidOutsideAllowedWindow");
  });

  it.each(VIOLATIONS.filter(({ error }) => declared.includes(error)))(
    "refuses with $error",
    async ({ error, change }) => {
      expect(await judged(change)).toBe(error);
    },
  );
});
