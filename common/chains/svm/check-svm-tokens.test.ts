import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { svmAddress } from "../../../test/support/chains/svm-sale.ts";
import { CallTooLarge } from "./call-too-large.ts";
import { checkSvmTokens, decodeTokenMint } from "./check-svm-tokens.ts";
import type { FailoverTransport } from "./failover-transport.ts";
import { createSvmRpc } from "./svm-rpc.ts";

/** A mint of the token program. */
function mint(decimals: number, isInitialised = true): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(82);
  data[44] = decimals;
  data[45] = isInitialised ? 1 : 0;
  return data;
}

function text(value: string): number[] {
  const bytes = [...new TextEncoder().encode(value)];
  return [...lengthOf(bytes.length), ...bytes];
}

function lengthOf(length: number): number[] {
  return [length & 0xff, (length >> 8) & 0xff, (length >> 16) & 0xff, (length >> 24) & 0xff];
}

/** A mint of Token-2022 with extensions, each a type and its bytes. */
function extended(...extensions: readonly (readonly [number, readonly number[]])[]): Uint8Array {
  const bytes = new Uint8Array(166);
  bytes.set(mint(9));
  bytes[165] = 1;
  const rest = extensions.flatMap(([type, value]) => [type, 0, value.length & 0xff, value.length >> 8, ...value]);
  return Uint8Array.from([...bytes, ...rest]);
}

const metadata = (symbol: readonly number[]) => [...new Array<number>(64).fill(7), ...text("Name"), ...symbol];

describe("decodeTokenMint", () => {
  it("reads the decimals of both token programs", () => {
    expect(decodeTokenMint(mint(6))).toEqual({ decimals: 6 });
    expect(decodeTokenMint(extended())).toEqual({ decimals: 9 });
  });

  it("reads the symbol of the metadata, wherever that is among the extensions", () => {
    const data = extended([3, [1, 2, 3]], [19, metadata(text("JUP"))]);
    expect(decodeTokenMint(data)).toEqual({ decimals: 9, symbol: "JUP" });
  });

  it.each([
    ["mark-up", metadata(text("<b>J</b>"))],
    ["too many characters", metadata(text("x".repeat(200)))],
    ["a length that leads out of the account", metadata(lengthOf(0x7fffffff))],
    ["nothing", []],
  ])("shows no symbol for %s", (_, value) => {
    expect(decodeTokenMint(extended([19, value]))).toEqual({ decimals: 9 });
  });

  it("refuses what is no initialised mint", () => {
    expect(decodeTokenMint(mint(6, false))).toBeUndefined();
    expect(decodeTokenMint(new Uint8Array(0))).toBeUndefined();
    const tokenAccount = new Uint8Array(165).fill(1);
    expect(decodeTokenMint(tokenAccount)).toBeUndefined();
  });
});

describe("checkSvmTokens", () => {
  /** Nodes that have mints at all addresses, and refuse calls for more than two, or for one of them. */
  function checked(addresses: readonly string[], refused: string) {
    const asked: number[] = [];
    const send = async ({ params: [wanted] }: { readonly params: readonly [readonly string[]] }) => {
      asked.push(wanted.length);
      if (wanted.length > 2 || wanted.includes(refused)) throw new CallTooLarge("refused", { remedy: "wait" });
      const data = [Buffer.from(mint(6)).toString("base64"), "base64"];
      const account = { owner: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", data };
      return { jsonrpc: "2.0", id: "1", result: { context: { slot: 1 }, value: wanted.map(() => account) } };
    };
    const rpc = createSvmRpc({ send } as unknown as FailoverTransport);
    const check = checkSvmTokens({ commitment: "confirmed" }, addresses, rpc, new AbortController().signal);
    return { check, asked };
  }

  it("halves a call that is refused for its size, and blames a token that is refused alone", async () => {
    const addresses = Array.from({ length: 9 }, (_, index) => svmAddress(`mint ${index}`));
    const [refused = ""] = addresses.slice(4);
    const { check, asked } = checked(addresses, refused);
    expect(await check).toEqual(
      addresses.map((address) =>
        address === refused
          ? { address, problem: `the chain's nodes refuse to read ${address}: check the address` }
          : { address, decimals: 6 },
      ),
    );
    expect(Math.max(...asked.slice(1))).toBeLessThan(9);
  });

  it("asks nothing without an address", async () => {
    const { check, asked } = checked(["no address"], "");
    expect(await check).toEqual([{ address: "no address", problem: expect.stringContaining("no token mint") }]);
    expect(asked).toEqual([]);
  });
});
