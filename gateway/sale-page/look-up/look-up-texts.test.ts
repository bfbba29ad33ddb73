import "../../testing/english-words.ts";
import { expect, it } from "vitest";
import { brokenRule, ruleText, summaryText } from "../browser/look-up-texts.js";
import { walletKindOf } from "./wallet-kind.ts";

const EVM = `0x${"aB".repeat(20)}`;
const SVM = "So11111111111111111111111111111111111111112";

it.each([
  ["evm", EVM, undefined],
  ["evm", SVM, "address.form"],
  ["evm", EVM.slice(2), "address.form"],
  ["svm", SVM, undefined],
  ["svm", EVM, "address.form"],
  ["svm", `${SVM}\n`, "address.form"],
  ["", EVM, undefined],
  ["", SVM, undefined],
  ["", "", "required"],
] as const)("finds in a sale with wallets of kind '%s' that %s breaks the rule %s", (kind, address, rule) => {
  expect(brokenRule(address, kind)).toBe(rule);
});

it("says what an address of the sale's chain looks like", () => {
  expect(ruleText("address.form", "evm")).toContain("0x and 40 hexadecimal digits");
  expect(ruleText("address.form", "svm")).toContain("an address on Solana");
  expect(ruleText("address.checksum", "evm")).toContain("checksum");
  expect(ruleText("another", "evm")).toBe("Enter the wallet’s address again.");
});

it("counts commitments by their state", () => {
  expect(summaryText([])).toBe("No commitments");
  expect(summaryText(["counts"])).toBe("1 commitment: 1 in the sale’s figures");
  expect(summaryText(["out", "refunded", "in", "out"])).toBe("4 commitments: 1 in, 2 out, 1 refunded");
});

it("knows the kind of a sale's wallets by its payment tokens", () => {
  const token = (address: string) => ({
    $typeName: "tidemark.commitments.v1.PaymentToken" as const,
    address,
    symbol: "",
    decimals: 6,
    usdStablecoin: false,
  });
  expect(walletKindOf({ paymentTokens: [token(EVM)] })).toBe("evm");
  expect(walletKindOf({ paymentTokens: [token(SVM)] })).toBe("svm");
  expect(walletKindOf({ paymentTokens: [] })).toBe("");
  expect(walletKindOf(undefined)).toBe("");
});
