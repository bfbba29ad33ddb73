import { expect, it } from "vitest";
import { ClearingOutcome, NotCountedReason } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  apply,
  auction,
  draftSale,
  evmSource,
  fixedPricing,
  idBytes,
  numberOf,
  openedSale,
  type RecordInit,
  record,
  refusal,
  USDX,
} from "../../support/sales/sale-messages.ts";

const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const [ONE, TWO, NONE] = [walletOf(0xa1), walletOf(0xb2), walletOf(0xc3)];
const { IN, AT_MARGIN, OUT, UNSPECIFIED: NO_OUTCOME } = ClearingOutcome;
const { REFUNDED, NO_AMOUNT, UNSPECIFIED: COUNTED } = NotCountedReason;

describeCommitments("GetBidOutcomes", (service) => {
  const outcomes = (saleUuid: string, wallets: string[]) =>
    service().as("entities").commitments.getBidOutcomes({ saleUuid, wallets });
  const bid = (number: number, amount: bigint, change: RecordInit = {}, wallet = ONE): RecordInit =>
    record(number, { amounts: [{ wallet, token: USDX, amount: amount.toString() }], ...change });
  /** Number, reason and outcome of each bid of each wallet. */
  const shown = async (saleUuid: string, wallets: string[]) =>
    (await outcomes(saleUuid, wallets)).wallets.map(({ bids }) =>
      bids.map((each) => [numberOf(each.commitmentId), each.notCountedReason, each.clearingOutcome]),
    );

  it("says of each wallet's bids what GetPosition says of them", async () => {
    const saleUuid = await openedSale(service());
    const upserts = [
      bid(1, 1_000n, { priceTicks: "20" }),
      bid(2, 300n, { priceTicks: "15" }),
      bid(3, 700n, { priceTicks: "10" }),
      bid(4, 50n, { refunded: true }),
      bid(5, 0n),
      bid(6, 400n, { priceTicks: "15" }, TWO),
    ];
    await apply(service(), saleUuid, { upserts });
    const first = [
      [1, COUNTED, IN],
      [2, COUNTED, AT_MARGIN],
      [3, COUNTED, OUT],
      [4, REFUNDED, NO_OUTCOME],
      [5, NO_AMOUNT, NO_OUTCOME],
    ];
    expect(await shown(saleUuid, [ONE, NONE, TWO, ONE])).toEqual([first, [], [[6, COUNTED, AT_MARGIN]], first]);
    const { generation, revision } = await service().commitments.getCommitmentData({ saleUuid });
    expect(await outcomes(saleUuid, [ONE])).toMatchObject({ generation, revision, undersubscribed: false });
  });

  it("says the same as GetPosition of every wallet of a large book", async () => {
    const saleUuid = await openedSale(service());
    const upserts = Array.from({ length: 300 }, (_, index) => {
      const priceTicks = String(10 + ((index * 7) % 25));
      return bid(index + 1, BigInt((index * 13) % 50), { priceTicks }, walletOf(index % 120));
    });
    await apply(service(), saleUuid, { upserts });
    const wallets = Array.from({ length: 130 }, (_, index) => walletOf(index));
    const together = await outcomes(saleUuid, wallets);
    for (const [index, wallet] of wallets.entries()) {
      const { commitments, undersubscribed } = await service().commitments.getPosition({ saleUuid, wallet });
      const expected = commitments.map(({ commitment, notCountedReason, clearingOutcome }) => ({
        commitmentId: commitment?.commitmentId,
        notCountedReason,
        clearingOutcome,
      }));
      expect(together.wallets[index]?.bids).toMatchObject(expected);
      if (undersubscribed) expect(together.undersubscribed).toBe(true);
    }
  });

  it("says whether the auction clears nothing yet", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [bid(1, 5n, { priceTicks: "30" })] });
    expect(await outcomes(saleUuid, [ONE])).toMatchObject({ undersubscribed: true });
  });

  it("forgets a wallet whose bid has moved to another one", async () => {
    const saleUuid = await openedSale(service(), auction({ pricing: fixedPricing(10n) }));
    await apply(service(), saleUuid, { upserts: [bid(1, 5n), bid(2, 5n)] });
    await apply(service(), saleUuid, { upserts: [bid(1, 5n, {}, TWO)], removals: [idBytes(2)] });
    expect(await shown(saleUuid, [ONE, TWO])).toEqual([[], [[1, COUNTED, NO_OUTCOME]]]);
  });

  it("names a wrong wallet, and refuses sales that can't be read", async () => {
    const saleUuid = await openedSale(service());
    expect(await refusal(outcomes(saleUuid, [ONE, "0x12"]))).toMatchObject({
      code: "invalid_argument",
      violations: [{ field: "wallets[1]" }],
    });
    expect(await refusal(outcomes(await draftSale(service()), [ONE]))).toMatchObject({ code: "not_found" });
    const unread = await openedSale(service(), auction({ source: evmSource() }));
    expect(await refusal(outcomes(unread, [ONE]))).toMatchObject({ code: "unavailable" });
  });
});
