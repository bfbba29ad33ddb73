import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { SaleSchema, SaleStage, SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetSaleResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { factsOf, readSaleFacts } from "./sale-facts.ts";

const UUID = "0189ABCD-ef01-7234-8567-89abcdef0123";
const CONTRACT = "0x00000000000000000000000000000000000000c0";

type SaleInit = Partial<Exclude<MessageInitShape<typeof SaleSchema>, { $typeName: string }>>;

function saleOf(changed: SaleInit = {}) {
  return create(SaleSchema, {
    uuid: UUID,
    tenancy: Tenancy.TEST,
    status: SaleStatus.OPEN,
    stage: SaleStage.COMMITMENT,
    definition: {
      name: "Sale",
      paymentTokens: [{ decimals: 6 }, { decimals: 18 }],
      pricing: { case: "auction", value: { floorTicks: "2", incrementTicks: "3" } },
      source: { case: "evm", value: { chain: "base", contract: CONTRACT } },
    },
    ...changed,
  });
}

describe("factsOf", () => {
  it("takes what decides about taking part", () => {
    expect(factsOf(saleOf())).toMatchObject({
      saleUuid: UUID.toLowerCase(),
      name: "Sale",
      tenancy: "test",
      status: "open",
      stage: "commitment",
      kind: "evm",
      chain: "base",
      contract: CONTRACT,
      pricing: { kind: "auction", floorTicks: 2n, incrementTicks: 3n },
      units: { decimals: 6, money: "payment tokens", isAuction: true },
      paymentTokenDecimals: [6, 18],
    });
  });

  it("knows sales at a fixed price, on Solana and without a contract", () => {
    const pricing = { case: "fixed", value: { priceTicks: "7" } } as const;
    const svm = { case: "svm", value: { chain: "solana", saleAccount: "So1" } } as const;
    expect(factsOf(saleOf({ definition: { pricing, source: svm } }))).toMatchObject({
      pricing: { kind: "fixed", priceTicks: 7n },
      kind: "svm",
      chain: "solana",
      contract: "So1",
    });
    expect(factsOf(saleOf({ definition: { pricing } }))).not.toHaveProperty("kind");
  });

  it("takes an unspecified tenancy for live, an unknown status for settled and an unknown stage for unknown", () => {
    const unknown = { tenancy: 0, status: 99, stage: 99 } as unknown as SaleInit;
    expect(factsOf(saleOf(unknown))).toMatchObject({ tenancy: "live", status: "settled", stage: "unknown" });
  });
});

describe("readSaleFacts", () => {
  const failing = (code: Code) => ({
    getSale: async () => {
      throw new ConnectError("refused", code);
    },
  });

  it("asks for the sale", async () => {
    const getSale = async () => create(GetSaleResponseSchema, { sale: saleOf() });
    expect(await readSaleFacts({ sales: { getSale } }, UUID)).toEqual(factsOf(saleOf()));
  });

  it("passes on that there is no such sale, and that the service is away", async () => {
    await expect(readSaleFacts({ sales: failing(Code.NotFound) }, UUID)).rejects.toMatchObject({ code: "not_found" });
    await expect(readSaleFacts({ sales: failing(Code.Unavailable) }, UUID)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});
