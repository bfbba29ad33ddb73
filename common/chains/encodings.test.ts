import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { encodeAbiParameters, hashMessage, hexToBytes, toHex } from "viem/utils";
import { describe, expect, it } from "vitest";
import { MAX_JSON_INTEGER, type Permit } from "./base/permit.ts";
import { encodeEvmPermit, evmPermitDigest } from "./evm/evm-permit.ts";
import { encodeSvmPermit } from "./svm/svm-permit.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string) => Buffer.from(text, "hex");

/** The permit of the published vectors. */
const VECTOR: Permit = {
  saleSpecificId: bytes("1234567890abcdef1234567890abcdef"),
  saleUuid: bytes("11111111111141118111111111111111"),
  wallet: bytes("70997970c51812dc3a010c7d01b50e0d17dc79c8"),
  expiresAt: 1704067200n,
  minAmount: 1000000000n,
  maxAmount: 15000000000n,
  minPrice: 5n,
  maxPrice: 100n,
  opensAt: 1704060000n,
  closesAt: 1704153600n,
  payload: new Uint8Array(32),
};
const SVM_VECTOR: Permit = { ...VECTOR, wallet: Buffer.alloc(32, 7), payload: bytes("00") };

const EVM_WORDS = [
  "0000000000000000000000000000000000000000000000000000000000000020",
  "1234567890abcdef1234567890abcdef00000000000000000000000000000000",
  "1111111111114111811111111111111100000000000000000000000000000000",
  "00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0000000000000000000000000000000000000000000000000000000065920080",
  "000000000000000000000000000000000000000000000000000000003b9aca00",
  "000000000000000000000000000000000000000000000000000000037e11d600",
  "0000000000000000000000000000000000000000000000000000000000000005",
  "0000000000000000000000000000000000000000000000000000000000000064",
  "000000000000000000000000000000000000000000000000000000006591e460",
  "0000000000000000000000000000000000000000000000000000000065935200",
  "0000000000000000000000000000000000000000000000000000000000000160",
  "0000000000000000000000000000000000000000000000000000000000000020",
  "0000000000000000000000000000000000000000000000000000000000000000",
];
const EVM_DIGEST = "b610a7ad514a80c5b8ae199476121588fbc305196d5646f6469921ba6adfd242";
const EVM_SIGNATURE =
  "3f22f762f96798a15ad4152970020567c8d9cdc32c481b4fd1abc1467a723ed24d2b10a698fd5dd09565e36a672a3d3f7881478e3588925f6c7094ea2e11cc5b1b";
const SVM_MESSAGE =
  "1234567890abcdef1234567890abcdef111111111111411181111111111111110707070707070707070707070707070707070707070707070707070707070707800092650000000000ca9a3b0000000000d6117e030000000500000000000000640000000000000060e491650000000000529365000000000100000000";

const TUPLE = [
  {
    type: "tuple",
    components: [
      { name: "saleSpecificEntityID", type: "bytes16" },
      { name: "saleUUID", type: "bytes16" },
      { name: "wallet", type: "address" },
      { name: "expiresAt", type: "uint64" },
      { name: "minAmount", type: "uint256" },
      { name: "maxAmount", type: "uint256" },
      { name: "minPrice", type: "uint64" },
      { name: "maxPrice", type: "uint64" },
      { name: "opensAt", type: "uint64" },
      { name: "closesAt", type: "uint64" },
      { name: "payload", type: "bytes" },
    ],
  },
] as const;

function encodeWithViem(permit: Permit): Uint8Array {
  const { saleSpecificId, saleUuid, wallet, payload, ...numbers } = permit;
  const ids = { saleSpecificEntityID: toHex(saleSpecificId), saleUUID: toHex(saleUuid) };
  const tuple = { ...ids, wallet: toHex(wallet), ...numbers, payload: toHex(payload) };
  return hexToBytes(encodeAbiParameters(TUPLE, [tuple]));
}

const fixedBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const number = fc.bigInt({ min: 0n, max: MAX_JSON_INTEGER });
const permits = (walletBytes: number, maxAmount: bigint) =>
  fc
    .record({
      saleSpecificId: fixedBytes(16),
      saleUuid: fixedBytes(16),
      wallet: fixedBytes(walletBytes),
      amounts: fc.tuple(fc.bigInt({ min: 0n, max: maxAmount }), fc.bigInt({ min: 0n, max: maxAmount })),
      expiresAt: number,
      minPrice: number,
      maxPrice: number,
      opensAt: number,
      closesAt: number,
      payload: fc.uint8Array({ maxLength: 70 }),
    })
    .map(({ amounts, ...rest }) => {
      const [minAmount = 0n, maxAmount = 0n] = amounts.toSorted((a, b) => (a < b ? -1 : 1));
      return { ...rest, minAmount, maxAmount };
    });

describe("the EVM encoding", () => {
  it("is the vector's: 448 bytes, digest and signature", async () => {
    const encoded = encodeEvmPermit(VECTOR);
    expect(encoded.length).toBe(448);
    expect(hex(encoded)).toBe(EVM_WORDS.join(""));
    expect(hex(evmPermitDigest(encoded))).toBe(EVM_DIGEST);
    const account = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
    const hash = toHex(evmPermitDigest(encoded));
    expect(await account.sign({ hash })).toBe(`0x${EVM_SIGNATURE}`);
  });

  it("is that of viem, for any permit", () => {
    fc.assert(
      fc.property(permits(20, 2n ** 256n - 1n), (permit) => {
        const encoded = encodeEvmPermit(permit);
        expect(hex(encoded)).toBe(hex(encodeWithViem(permit)));
        expect(toHex(evmPermitDigest(encoded))).toBe(hashMessage({ raw: encoded }));
      }),
    );
  });
});

describe("the Solana encoding", () => {
  it("is the vector's: 125 bytes and signature", () => {
    const message = encodeSvmPermit(SVM_VECTOR);
    expect(hex(message)).toBe(SVM_MESSAGE);
    const seed = Buffer.alloc(32, 1);
    const der = Buffer.concat([bytes("302e020100300506032b657004220420"), seed]);
    const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const signature = sign(null, message, privateKey);
    expect(hex(signature)).toBe(
      "ba0c47c110747d449d5d9143f3b917214856a6884d7ab6d19ca742e7184251bdbec9bfc96f9c10f4c0a844b9684ea6f0f683227a9026f6dad7d1a49addd75000",
    );
    expect(verify(null, message, createPublicKey(privateKey), signature)).toBe(true);
  });

  it("is 124 bytes and the payload, with every field where Borsh has it", () => {
    fc.assert(
      fc.property(permits(32, 2n ** 64n - 1n), (permit) => {
        const message = Buffer.from(encodeSvmPermit(permit));
        const { saleSpecificId, saleUuid, wallet, payload } = permit;
        expect(message.length).toBe(124 + payload.length);
        expect(hex(message.subarray(0, 64))).toBe(hex(Buffer.concat([saleSpecificId, saleUuid, wallet])));
        const numbers = [64, 72, 80, 88, 96, 104, 112].map((offset) => message.readBigUInt64LE(offset));
        const { expiresAt, minAmount, maxAmount, minPrice, maxPrice, opensAt, closesAt } = permit;
        expect(numbers).toEqual([expiresAt, minAmount, maxAmount, minPrice, maxPrice, opensAt, closesAt]);
        expect(message.readUInt32LE(120)).toBe(payload.length);
        expect(hex(message.subarray(124))).toBe(hex(payload));
      }),
    );
  });
});

it.each([
  ["expiresAt", { expiresAt: 2n ** 53n }],
  ["minPrice", { minPrice: 2n ** 53n }],
  ["maxPrice", { maxPrice: 2n ** 53n }],
  ["opensAt", { opensAt: -1n }],
  ["closesAt", { closesAt: 2n ** 64n - 1n }],
  ["minAmount", { minAmount: 2n ** 300n }],
  ["wallet", { wallet: new Uint8Array(21) }],
  ["saleSpecificId", { saleSpecificId: new Uint8Array(15) }],
  ["saleUuid", { saleUuid: new Uint8Array(17) }],
])("refuses a permit whose %s doesn't fit", (field, change) => {
  expect(() => encodeEvmPermit({ ...VECTOR, ...change })).toThrow(field);
  expect(() => encodeSvmPermit({ ...SVM_VECTOR, ...change })).toThrow(field);
});

it("refuses an amount that a contract can't read", () => {
  expect(() => encodeEvmPermit({ ...VECTOR, maxAmount: 2n ** 256n })).toThrow("maxAmount");
  expect(() => encodeSvmPermit({ ...SVM_VECTOR, maxAmount: 2n ** 64n })).toThrow("maxAmount");
});
