import { createSiweMessage, parseSiweMessage } from "viem/siwe";
import { describe, expect, it } from "vitest";
import { type LinkRequest, linkText } from "./link-text.ts";
import { formatWallet } from "./wallet.ts";

const REQUEST: LinkRequest = {
  wallet: { kind: "evm", bytes: Buffer.from("5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "hex") },
  chainId: 8_453n,
  nonce: "0123456789abcdef",
  sessionUuid: "11111111-1111-4111-8111-111111111111",
  issuedAtMs: BigInt(Date.UTC(2026, 0, 31, 12)),
  expiresAtMs: BigInt(Date.UTC(2026, 0, 31, 12, 10)),
};

describe("the text of a link", () => {
  it("is an EIP-4361 message", () => {
    const text = linkText("https://auth.example", REQUEST);
    const parsed = parseSiweMessage(text);
    expect(parsed).toEqual({
      domain: "auth.example",
      address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      statement: "Link this wallet to your account at auth.example. This sends no transaction and costs nothing.",
      uri: "https://auth.example",
      version: "1",
      chainId: 8_453,
      nonce: REQUEST.nonce,
      issuedAt: new Date("2026-01-31T12:00:00Z"),
      expirationTime: new Date("2026-01-31T12:10:00Z"),
      requestId: REQUEST.sessionUuid,
    });
    expect(createSiweMessage(parsed as Parameters<typeof createSiweMessage>[0])).toBe(text);
  });

  it("names the scheme of a site without TLS", () => {
    const text = linkText("http://localhost:8080", REQUEST);
    expect(parseSiweMessage(text)).toMatchObject({
      scheme: "http",
      domain: "localhost:8080",
      uri: "http://localhost:8080",
    });
  });

  it("is the same for an SVM wallet, without a chain", () => {
    const wallet = { kind: "svm", bytes: new Uint8Array(32).fill(7) } as const;
    const evm = linkText("https://auth.example", REQUEST).split("\n");
    const svm = linkText("https://auth.example", { ...REQUEST, wallet, chainId: 0n }).split("\n");
    expect(svm.slice(0, 2)).toEqual([
      "auth.example wants you to sign in with your Solana account:",
      formatWallet(wallet),
    ]);
    expect(svm.slice(2)).toEqual(evm.slice(2).filter((line) => !line.startsWith("Chain ID:")));
  });
});
