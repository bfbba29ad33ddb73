import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import {
  CheckSourceResponseSchema,
  ListChainsResponseSchema,
} from "../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { CheckLimit } from "./check-limit.ts";
import { checkSource, type SourceChecker } from "./sources.ts";

const SOURCE = { chain: "local", address: `0x${"1".repeat(40)}` };

/** An indexer that finds a sale everywhere, unless told to refuse. */
function checker(refusal?: Code): SourceChecker & { readonly asked: string[] } {
  const asked: string[] = [];
  const indexer = {
    listChains: async () => create(ListChainsResponseSchema),
    checkSource: async ({ address = "" }: { address?: string }) => {
      asked.push(address);
      if (refusal !== undefined) throw new ConnectError("scripted", refusal);
      return create(CheckSourceResponseSchema, { readable: true, height: 9n });
    },
  };
  return { indexer, checkLimit: new CheckLimit({ now: () => 0 }), asked };
}

describe("checkSource", () => {
  it("asks the indexer twenty times a minute for an account, and says so", async () => {
    const some = checker();
    for (let time = 0; time < 20; time++) expect(await checkSource(some, "a", SOURCE)).toMatchObject({ state: "good" });
    const { state, words } = await checkSource(some, "a", SOURCE);
    expect([state, ...words]).toEqual(["unknown", expect.stringContaining("wait a minute")]);
    expect(some.asked).toHaveLength(20);
    expect(await checkSource(some, "b", SOURCE)).toMatchObject({ state: "good" });
  });

  it("says that the indexer has too many checks", async () => {
    const { state, words } = await checkSource(checker(Code.ResourceExhausted), "a", SOURCE);
    expect([state, ...words]).toEqual(["unknown", expect.stringContaining("again in a few seconds")]);
  });

  it("counts nothing that isn't asked", async () => {
    const some = checker();
    for (let time = 0; time < 30; time++) await checkSource(some, "a", { chain: "", address: "" });
    expect(await checkSource(some, "a", SOURCE)).toMatchObject({ state: "good" });
  });
});
