import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { wrap } from "../../../common/platform/secrets/wrap.ts";
import type { PermitKey } from "./permit-key.ts";
import { storedKeySigner } from "./stored-key-signer.ts";

const WRAP_KEY = randomBytes(32);
const ENCODED = randomBytes(100);
const { createKey, openKey, sign } = storedKeySigner(WRAP_KEY);

/** Makes a stored key. @param secret in place of its own */
async function keyOf(kind: "evm" | "svm", secret?: Uint8Array): Promise<PermitKey> {
  const uuid = randomUUID();
  const { privateKey, ...made } = await createKey(uuid, kind);
  const stored = secret === undefined ? privateKey : wrap(WRAP_KEY, uuid, secret);
  const key = {
    uuid,
    kind,
    ...made,
    chain: "base",
    createdAtMs: 0n,
    saleUuid: randomUUID(),
    status: "active",
  } as const;
  return { ...key, ...(stored && { privateKey: stored }) };
}

describe("the secret of a stored key", () => {
  let joined: MockInstance<typeof Buffer.concat>;
  beforeEach(() => {
    joined = vi.spyOn(Buffer, "concat");
  });
  afterEach(() => joined.mockRestore());

  /** Whether each buffer of this length that was joined, as an unwrapped secret is, has been zeroed. */
  function areZeroed(bytes: number): boolean {
    const buffers = joined.mock.results.map(({ value }) => value as Buffer).filter(({ length }) => length === bytes);
    expect(buffers).toHaveLength(1);
    return buffers.every((buffer) => buffer.every((byte) => byte === 0));
  }

  it("is zeroed when the key is closed, EVM", async () => {
    const key = await keyOf("evm");
    joined.mockClear();
    const open = await openKey?.(key);
    expect(areZeroed(32)).toBe(false);
    open?.close();
    expect(areZeroed(32)).toBe(true);
  });

  it("is OpenSSL's alone, which signs no more once the key is closed, Solana", async () => {
    const key = await keyOf("svm");
    joined.mockClear();
    const open = await openKey?.(key);
    expect([areZeroed(32), areZeroed(48)]).toEqual([true, true]);
    expect(open?.sign(ENCODED)).toHaveLength(64);
    open?.close();
    expect(() => open?.sign(ENCODED)).toThrow("closed");
  });

  it.each(["evm", "svm"] as const)("is zeroed when the key can't be used, %s", async (kind) => {
    const key = await keyOf(kind, randomBytes(31));
    joined.mockClear();
    await expect(sign(key, ENCODED)).rejects.toThrow();
    expect(areZeroed(31)).toBe(true);
  });
});
