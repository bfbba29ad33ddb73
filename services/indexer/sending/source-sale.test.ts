import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ContractFamily, SaleSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { USDX } from "../testing/samples.ts";
import { sourceNameOf, sourceSaleOf } from "./source-sale.ts";

const CONTRACT = `0x${"c1".repeat(20)}`;
const evm = { case: "evm" as const, value: { chain: "ethereum", contract: CONTRACT } };

function sale(change: Exclude<MessageInitShape<typeof SaleSchema>, { $typeName: unknown }> = {}) {
  return create(SaleSchema, {
    uuid: "sale",
    status: SaleStatus.OPEN,
    definition: { paymentTokens: [{ address: USDX, decimals: 6 }], source: evm },
    definitionVersion: 3n,
    revision: 8n,
    ...change,
  });
}

describe("sourceSaleOf", () => {
  it("has the fields that a reader needs of a sale that wasn't read before", () => {
    expect(sourceSaleOf(sale())).toStrictEqual({
      uuid: "sale",
      settled: false,
      final: false,
      family: "evm",
      chain: "ethereum",
      address: CONTRACT,
      paymentTokens: [USDX],
      cancelledKeepsAmounts: false,
      tokenDecimals: new Map([[USDX, 6]]),
      definitionVersion: 3n,
      revision: 8n,
      hasSnapshot: false,
      changeSetOpen: false,
      sweepRequests: 0n,
      sweepPending: false,
    });
  });

  it("has the position of the last snapshot, and the requested sweeps", () => {
    const hash = new Uint8Array([0xab, 0x01]);
    const read = sale({
      hasSnapshot: true,
      changeSetOpen: true,
      sourcePosition: { height: 12n, hash },
      sourceStatus: { sweepRequests: 2n },
    });
    expect(sourceSaleOf(read)).toMatchObject({
      hasSnapshot: true,
      changeSetOpen: true,
      position: { height: 12n, hash: "ab01" },
      sweepRequests: 2n,
      sweepPending: true,
    });
    const answered = sale({ sourceStatus: { sweepRequests: 2n, sweep: { sweepRequests: 2n } } });
    expect(sourceSaleOf(answered)).toMatchObject({ sweepRequests: 2n, sweepPending: false });
    const running = sale({ sourceStatus: { sweepRequests: 2n, sweep: { sweepRequests: 2n, running: true } } });
    expect(sourceSaleOf(running)).toMatchObject({ sweepPending: true });
  });

  it("reads the account of a sale on an SVM chain", () => {
    const source = { case: "svm" as const, value: { chain: "solana", saleAccount: "account" } };
    expect(sourceSaleOf(sale({ definition: { source } }))).toMatchObject({
      family: "svm",
      chain: "solana",
      address: "account",
    });
  });

  it("has what the definition says about the contract", () => {
    const source = { case: "evm" as const, value: { chain: "ethereum", contract: CONTRACT, contractVersion: 1 } };
    const definition = { source, cancelledKeepsAmounts: true };
    expect(sourceSaleOf(sale({ definition }))).toMatchObject({ contractVersion: 1, cancelledKeepsAmounts: true });
  });

  it("names its source by the family of the contract, too", () => {
    const value = { chain: "ethereum", contract: CONTRACT, family: ContractFamily.CCA };
    const auction = sourceSaleOf(sale({ definition: { source: { case: "evm", value } } }));
    expect(auction).toMatchObject({ family: "evm", contractFamily: "cca" });
    const other = sourceSaleOf(sale());
    if (auction === undefined || other === undefined) throw new TypeError("no source");
    expect(sourceNameOf(auction)).not.toBe(sourceNameOf(other));
  });

  it("includes a settled sale, which a re-organisation may open again", () => {
    expect(sourceSaleOf(sale({ status: SaleStatus.SETTLED }))).toMatchObject({ settled: true, final: false });
    const final = sale({ status: SaleStatus.SETTLED, feedState: { final: true } });
    expect(sourceSaleOf(final)).toMatchObject({ settled: true, final: true });
  });

  it("is undefined for a draft, a withdrawn sale, or without a source", () => {
    expect(sourceSaleOf(sale({ status: SaleStatus.WITHDRAWN }))).toBeUndefined();
    expect(sourceSaleOf(sale({ status: SaleStatus.DRAFT }))).toBeUndefined();
    expect(sourceSaleOf(sale({ definition: { paymentTokens: [] } }))).toBeUndefined();
    expect(sourceSaleOf(create(SaleSchema, { status: SaleStatus.OPEN }))).toBeUndefined();
  });
});
