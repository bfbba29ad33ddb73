import { randomBytes, randomUUID } from "node:crypto";
import { base58 } from "@scure/base";
import { expect, it } from "vitest";
import type { SignedPermit } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { writeBorshPermit } from "../../support/chains/borsh-permit.ts";
import { judgeSvmBid, type SvmBid, type SvmSaleAccount } from "../../support/chains/svm-permit-program.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { MINT } from "../../support/sales/sale-messages.ts";
import { PermitSale } from "../../support/sales/taking-part-sale.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const ACCOUNT = base58.encode(Buffer.alloc(32, 3));

/** The data that a client sends with a permit, and the state of the program then. */
function transaction({ permit, signature }: SignedPermit, signer: string, now: bigint) {
  if (permit === undefined) throw new Error("there is no permit");
  const bidder = hex(base58.decode(permit.wallet));
  const message = writeBorshPermit({
    entityId: hex(permit.saleSpecificEntityId),
    saleUuid: hex(permit.saleUuid),
    wallet: bidder,
    expiresAt: permit.expiresAt,
    minAmount: BigInt(permit.minAmount),
    maxAmount: BigInt(permit.maxAmount),
    minPrice: permit.minPrice,
    maxPrice: permit.maxPrice,
    opensAt: permit.opensAt,
    closesAt: permit.closesAt,
    payload: hex(permit.payload),
  });
  const least = { amount: BigInt(permit.minAmount), price: permit.minPrice, lockup: true };
  const bid: SvmBid = { message, signature, bidder, ...least };
  const sale: SvmSaleAccount = { permitSigner: base58.decode(signer), saleUuid: hex(permit.saleUuid), now };
  return { bid, sale, permit };
}

describeEntities("a permit that IssuePermit gave for Solana", (service) => {
  it("is accepted for exactly what it says, and refused for anything else", async () => {
    const now = service().auth.time.now() / 1_000n;
    const group = sampleGroup({
      ...{ minAmount: 50n, maxAmount: 2n ** 64n - 2n, minPriceTicks: 20n, maxPriceTicks: 60n },
      ...{ opensAt: now - 5n, closesAt: now + 60n, forcedLockup: true },
    });
    const opened = await PermitSale.open(service(), {
      paymentTokens: [{ address: MINT, decimals: 6, usdStablecoin: true }],
      source: { case: "svm", value: { chain: "solana", saleAccount: ACCOUNT } },
      rules: { groups: [group], payload: "settlement" },
    });
    const signer = await opened.newKey();
    const participant = await opened.participant(`${randomUUID()}@example.com`);
    const wallet = randomBytes(32);
    const issued = await opened.issue(participant, base58.encode(wallet));
    if (typeof issued === "number") throw new Error(`the permit was refused: ${issued}`);
    const { bid, sale, permit } = transaction(issued, signer, now);
    const judge = (bidChange: Partial<SvmBid>, saleChange: Partial<SvmSaleAccount> = {}) =>
      judgeSvmBid({ ...sale, ...saleChange }, { ...bid, ...bidChange });

    expect(bid.bidder).toBe(hex(wallet));
    expect(hex(permit.saleSpecificEntityId)).toBe(hex(participant.saleEntity.saleSpecificId));
    expect(sale.saleUuid).toBe(opened.saleUuid.replaceAll("-", ""));
    expect(judge({})).toBe("accepted");
    expect(judge({ amount: 2n ** 64n - 2n, price: 60n }, { now: now + 59n })).toBe("accepted");
    expect(judge({ amount: 49n })).toBe("BidBelowMinAmount");
    expect(judge({ amount: 2n ** 64n - 1n })).toBe("BidExceedsMaxAmount");
    expect(judge({ price: 19n })).toBe("PriceBelowMinPrice");
    expect(judge({ price: 61n })).toBe("PriceExceedsMaxPrice");
    expect(judge({}, { now: now - 6n })).toBe("BidTooEarly");
    expect(judge({}, { now: now + 60n })).toBe("BidTooLate");
    expect(judge({}, { now: now + 600n })).toBe("PermitExpired");
    expect(judge({ lockup: false })).toBe("BidMustHaveLockup");
    expect(judge({ bidder: hex(randomBytes(32)) })).toBe("InvalidWallet");
    expect(judge({}, { saleUuid: hex(randomBytes(16)) })).toBe("InvalidSaleUuid");
    expect(judge({}, { permitSigner: randomBytes(32) })).toBe("UnauthorizedSigner");
  });
});
