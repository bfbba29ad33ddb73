import { createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { SecretService } from "../../../proto/gen/tidemark/secrets/v1/secret_service_pb.ts";
import { createErrorInterceptor } from "../rpc/error-interceptor.ts";
import { unwrap, wrap } from "../secrets/wrap.ts";
import { captureLog } from "../testing/log-capture.ts";
import { countUnreadable, rewrapBatch } from "./rewrap-batch.ts";
import { secretMethods } from "./rewrap-rpc.ts";
import type { WrappedKind } from "./wrapped-kind.ts";

const [PRESENT, OTHER, LOST] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const SECRET = Buffer.from("secret");

/** A kind in memory. @param wrappedBy the key of each row */
function given(kind: string, wrappedBy: readonly Uint8Array[], keys: WrappedKind["keys"] = [PRESENT, OTHER]) {
  const stored = new Map(wrappedBy.map((key, index) => [String(index).padStart(4, "0"), wrap(key, "name", SECRET)]));
  const wrapped: WrappedKind = {
    kind,
    keys,
    read: async (after, limit) =>
      [...stored]
        .filter(([cursor]) => cursor > after)
        .slice(0, limit)
        .map(([cursor, content]) => ({ cursor, name: "name", wrapped: content })),
    store: async (rows) => {
      for (const { cursor, rewrapped } of rows) stored.set(cursor, Buffer.from(rewrapped));
    },
  };
  return { wrapped, stored };
}

async function passOver(kinds: readonly WrappedKind[], dryRun: boolean) {
  const counts = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const batch: Awaited<ReturnType<typeof rewrapBatch>> = await rewrapBatch(kinds, cursor, dryRun);
    counts.push(batch?.count);
    cursor = batch?.next;
  }
  return counts;
}

describe("rewrapBatch", () => {
  it("goes through all kinds in batches of 200, and wraps what only the other key opens", async () => {
    const [many, few] = [given("many", Array(401).fill(OTHER)), given("few", [PRESENT, LOST])];
    const kinds = [many.wrapped, few.wrapped];
    const expected = (other: boolean) => [
      ...[200, 200, 1].map((count) => ({
        kind: "many",
        present: other ? 0 : count,
        other: other ? count : 0,
        unreadable: 0,
      })),
      { kind: "few", present: 1, other: 0, unreadable: 1 },
    ];
    const before = new Map(many.stored);
    expect(await passOver(kinds, true)).toEqual(expected(true));
    expect(many.stored).toEqual(before);
    expect(await passOver(kinds, false)).toEqual(expected(true));
    expect(await passOver(kinds, false)).toEqual(expected(false));
    for (const wrapped of many.stored.values()) expect(unwrap(PRESENT, "name", wrapped)).toEqual(SECRET);
    expect([await countUnreadable(many.wrapped), await countUnreadable(few.wrapped)]).toEqual([0, 1]);
  });

  it("ends after an empty last kind, and a batch that is full to the row", async () => {
    const kinds = [given("full", Array(200).fill(PRESENT)).wrapped, given("none", []).wrapped];
    expect((await passOver(kinds, false)).map((count) => [count?.kind, count?.present])).toEqual([
      ["full", 200],
      ["full", 0],
      ["none", 0],
    ]);
  });
});

describe("SecretService", () => {
  const clientOf = (kinds: readonly WrappedKind[], keyId = "0123456789abcdef") =>
    createClient(
      SecretService,
      createRouterTransport(({ service }) => void service(SecretService, secretMethods({ keyId, kinds })), {
        router: { interceptors: [createErrorInterceptor(captureLog().logger)] },
      }),
    );

  it("names its present key, and refuses to go on for a caller that began with another one", async () => {
    const client = clientOf([given("some", [PRESENT]).wrapped]);
    const first = await client.rewrapSecrets({});
    expect(first).toMatchObject({ keyId: "0123456789abcdef", knowsOtherKey: true, nextCursor: "" });
    await expect(client.rewrapSecrets({ keyId: first.keyId })).resolves.toMatchObject({ counts: [{ present: 1 }] });
    await expect(client.rewrapSecrets({ keyId: "f".repeat(16) })).rejects.toThrow("different KEY_ENCRYPTION_KEYs");
  });

  it("has nothing in a service without a key, and knows no cursor that it hasn't given", async () => {
    await expect(clientOf([], "").rewrapSecrets({})).resolves.toMatchObject({ counts: [], nextCursor: "", keyId: "" });
    await expect(clientOf([]).rewrapSecrets({ cursor: "other 1" })).rejects.toThrow("cursor");
    const [kind] = [given("some", [PRESENT], [PRESENT]).wrapped];
    await expect(clientOf(kind === undefined ? [] : [kind]).rewrapSecrets({})).resolves.toMatchObject({
      knowsOtherKey: false,
    });
  });
});
