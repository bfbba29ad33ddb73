import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { es256Signature, integersOfDer } from "./sign-jwt.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

describe("es256Signature", () => {
  // Of 1024 signatures, about eight have an integer that DER writes in fewer bytes than 32.
  it("is 64 bytes that verify, whatever the lengths of the two integers are in DER", () => {
    for (let count = 0; count < 1_024; count += 1) {
      const input = Buffer.from(`input ${count}`);
      const signature = es256Signature(input, privateKey);
      expect(signature).toHaveLength(64);
      expect(verify("sha256", input, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
    }
  });
});

describe("integersOfDer", () => {
  it("pads short integers, and drops the zero before a high first bit", () => {
    const der = Buffer.from(`302502021234022100${"ff".repeat(32)}`, "hex");
    expect(integersOfDer(der).toString("hex")).toBe(`${"00".repeat(30)}1234${"ff".repeat(32)}`);
  });
});
