import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { privateKeyToAccount } from "viem/accounts";
import { hexToBytes, recoverMessageAddress, toHex } from "viem/utils";
import { describe, expect, it, onTestFinished } from "vitest";
import { isPermitSignature } from "../../../common/chains/permit-encoding.ts";
import { wrap } from "../../../common/platform/secrets/wrap.ts";
import type { NewPermitKey, PermitSigner } from "../base/permit-signer.ts";
import { choosingSigner } from "./choosing-signer.ts";
import type { PermitKey } from "./permit-key.ts";
import { remoteSigner } from "./remote-signer.ts";
import { storedKeySigner } from "./stored-key-signer.ts";

const WRAP_KEY = randomBytes(32);
const SECRET = randomBytes(32);
const ENCODED = randomBytes(448);
const NOW_MS = 1_700_000_000_000n;

const keyOf = (uuid: string, kind: "evm" | "svm", made: NewPermitKey): PermitKey => ({
  ...{ uuid, kind, ...made, chain: "base", createdAtMs: 0n },
  ...{ saleUuid: randomUUID(), status: "active" },
});

async function newKey(signer: PermitSigner, kind: "evm" | "svm"): Promise<PermitKey> {
  const uuid = randomUUID();
  return keyOf(uuid, kind, await signer.createKey(uuid, kind));
}

describe("a stored key", () => {
  const signer = storedKeySigner(WRAP_KEY);

  it("signs as the address that the contract knows, EVM", async () => {
    const key = await newKey(signer, "evm");
    const signature = await signer.sign(key, ENCODED);
    expect(isPermitSignature("evm", key.address, ENCODED, signature)).toBe(true);
    const recovered = await recoverMessageAddress({ message: { raw: ENCODED }, signature: toHex(signature) });
    expect(recovered.toLowerCase()).toBe(toHex(key.address));
  });

  it("signs as viem does, byte for byte, several times before it is closed, EVM", async () => {
    const secret = randomBytes(32);
    const account = privateKeyToAccount(toHex(secret));
    const uuid = randomUUID();
    const made = { address: hexToBytes(account.address), remote: false, privateKey: wrap(WRAP_KEY, uuid, secret) };
    const open = await signer.openKey?.(keyOf(uuid, "evm", made));
    for (const encoded of [ENCODED, randomBytes(480), randomBytes(1)]) {
      expect(toHex(open?.sign(encoded) ?? ENCODED)).toBe(await account.signMessage({ message: { raw: encoded } }));
    }
    open?.close();
    expect(() => open?.sign(ENCODED)).toThrow();
  });

  it("signs as the public key that the sale account knows, Solana", async () => {
    const key = await newKey(signer, "svm");
    const signature = await signer.sign(key, ENCODED);
    expect(signature).toHaveLength(64);
    expect(isPermitSignature("svm", key.address, ENCODED, signature)).toBe(true);
  });

  it("is stored wrapped, bound to its UUID and to KEY_ENCRYPTION_KEY", async () => {
    const key = await newKey(signer, "evm");
    await expect(signer.sign({ ...key, uuid: randomUUID() }, ENCODED)).rejects.toThrow("can't be unwrapped");
    await expect(storedKeySigner(randomBytes(32)).sign(key, ENCODED)).rejects.toThrow("can't be unwrapped");
    const { privateKey, ...erased } = key;
    await expect(signer.sign(erased, ENCODED)).rejects.toThrow("can't be unwrapped");
  });
});

describe("isPermitSignature", () => {
  it("refuses what contracts refuse", async () => {
    const signer = storedKeySigner(WRAP_KEY);
    const [key, other] = [await newKey(signer, "evm"), await newKey(signer, "evm")];
    const signature = await signer.sign(key, ENCODED);
    const check = (address: Uint8Array, encoded: Uint8Array, bytes: Uint8Array) =>
      isPermitSignature("evm", address, encoded, bytes);
    expect(check(other.address, ENCODED, signature)).toBe(false);
    expect(check(key.address, randomBytes(448), signature)).toBe(false);
    expect(check(key.address, ENCODED, signature.subarray(0, 64))).toBe(false);
    expect(check(key.address, ENCODED, Buffer.concat([signature.subarray(0, 64), Buffer.of(29)]))).toBe(false);
    expect(check(key.address, ENCODED, Buffer.alloc(65))).toBe(false);
    expect(check(key.address, ENCODED, highS(signature))).toBe(false);
    const solana = await newKey(signer, "svm");
    expect(isPermitSignature("svm", solana.address, ENCODED, Buffer.alloc(64))).toBe(false);
    expect(isPermitSignature("svm", solana.address, ENCODED, signature)).toBe(false);
  });
});

/** The other signature that is valid for the same key and message, with a high s. */
function highS(signature: Uint8Array): Uint8Array {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = order - BigInt(toHex(signature.slice(32, 64)));
  const v = signature[64] === 27 ? 28 : 27;
  return Buffer.concat([signature.subarray(0, 32), hexToBytes(toHex(s, { size: 32 })), Buffer.of(v)]);
}

describe("a remote signer", () => {
  const account = privateKeyToAccount(toHex(randomBytes(32)));
  type Answer = { readonly status?: number; readonly body?: string; readonly never?: boolean };

  /** A server that signs; `answer` replaces parts of its answers. */
  async function serve({ never = false, ...answer }: Answer = {}) {
    const requests: { path: string; headers: IncomingMessage["headers"]; body: string }[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const path = request.url ?? "";
      requests.push({ path, headers: request.headers, body });
      const { status = 200, body: replaced } = answer;
      if (never) return;
      const { permit } = JSON.parse(body);
      const signature = permit && (await account.signMessage({ message: { raw: permit } }));
      const location = status === 302 ? { location: "http://127.0.0.1:1/" } : {};
      response.writeHead(status, location).end(replaced ?? JSON.stringify({ address: account.address, signature }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/signer/`;
    return {
      signer: remoteSigner({ url, secret: SECRET, clock: () => NOW_MS, deadlineMs: never ? 50 : 60_000 }),
      requests,
    };
  }

  it("holds the key, gets the encoded permit, and signs", async () => {
    const { signer, requests } = await serve();
    const key = await newKey(signer, "evm");
    expect(key).toMatchObject({ remote: true });
    expect(key.privateKey).toBeUndefined();
    expect(toHex(key.address)).toBe(account.address.toLowerCase());
    const signature = await signer.sign(key, ENCODED);
    expect(isPermitSignature("evm", key.address, ENCODED, signature)).toBe(true);
    expect(requests.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ["/signer/keys", { keyUuid: key.uuid, kind: "evm" }],
      ["/signer/signatures", { keyUuid: key.uuid, kind: "evm", address: toHex(key.address), permit: toHex(ENCODED) }],
    ]);
  });

  it("knows who asks, by a signature over ID, time and body", async () => {
    const { signer, requests } = await serve();
    await newKey(signer, "evm");
    await newKey(signer, "evm");
    const ids = requests.map(({ headers, body }) => {
      const id = headers["webhook-id"];
      expect(headers["webhook-timestamp"]).toBe("1700000000");
      const mac = createHmac("sha256", SECRET).update(`${id}.1700000000.${body}`).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
      return id;
    });
    expect(new Set(ids).size).toBe(2);
  });

  it("can't pass off the signature of another key, or over another permit", async () => {
    const { signer } = await serve();
    const key = await newKey(signer, "evm");
    const other = { ...key, address: randomBytes(20) };
    await expect(signer.sign(other, ENCODED)).rejects.toMatchObject({ code: "unavailable" });
  });

  it.each([
    ["refuses", { status: 403 }],
    ["redirects", { status: 302 }],
    ["answers with mark-up", { body: "<html>" }],
    ["answers with nothing", { body: "{}" }],
    ["answers with no object", { body: "null" }],
    ["answers with another form", { body: '{"address":"0x1","signature":"0x1"}' }],
    ["answers without end", { body: `{"address":"${"a".repeat(5_000)}"}` }],
    ["never answers", { never: true }],
  ])("that %s is unavailable", async (_, answer) => {
    const { signer } = await serve(answer);
    const unavailable = { name: "ServiceError", code: "unavailable" };
    await expect(signer.createKey(randomUUID(), "evm")).rejects.toMatchObject(unavailable);
    const key = keyOf(randomUUID(), "evm", { address: hexToBytes(account.address), remote: true });
    await expect(signer.sign(key, ENCODED)).rejects.toMatchObject(unavailable);
  });

  it("makes new keys where there is one, and a stored key goes on", async () => {
    const stored = storedKeySigner(WRAP_KEY);
    const { signer: remote } = await serve();
    const before = await newKey(choosingSigner(stored, undefined), "evm");
    const after = await newKey(choosingSigner(stored, remote), "evm");
    expect([before.remote, after.remote]).toEqual([false, true]);
    for (const key of [before, after]) {
      const signature = await choosingSigner(stored, remote).sign(key, ENCODED);
      expect(isPermitSignature("evm", key.address, ENCODED, signature)).toBe(true);
    }
    const without = choosingSigner(stored, undefined).sign(after, ENCODED);
    await expect(without).rejects.toThrow("PERMIT_SIGNER_URL");
  });
});
