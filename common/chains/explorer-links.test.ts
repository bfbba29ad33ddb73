import { expect, it } from "vitest";
import { sourceChainOf } from "./explorer-links.ts";

it("shows the chain's ID and the contract's page, where the operator has configured an explorer", () => {
  const chainId = 2 ** 53 - 1;
  expect(sourceChainOf({ chainId }, "0xa1")).toEqual({ chainId: 2n ** 53n - 1n, contractUrl: "" });
  const explorerUrl = "https://explorer.test/address/{address}?tab=$&";
  expect(sourceChainOf({ chainId, explorerUrl }, "$1").contractUrl).toBe("https://explorer.test/address/$1?tab=$&");
});

it("has no ID for a chain without one", () => {
  const explorerUrl = "https://explorer.test/account/{address}";
  expect(sourceChainOf({ explorerUrl }, "9xQ")).toEqual({
    chainId: 0n,
    contractUrl: "https://explorer.test/account/9xQ",
  });
});
