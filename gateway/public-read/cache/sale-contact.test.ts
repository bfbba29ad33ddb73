import { create } from "@bufbuild/protobuf";
import { expect, it, onTestFinished, vi } from "vitest";
import { CommitmentDataSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { SaleSummarySchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { PublicError } from "../../web/http/public-error.ts";
import { publicBody } from "./public-body.ts";
import { Representation } from "./representation.ts";
import { saleContact } from "./sale-contact.ts";
import { UnreadSale } from "./unread-sale.ts";

const SALE = create(SaleSummarySchema, { presentation: { contact: "help@sale.example" } });
const BODY = publicBody(create(CommitmentDataSchema, { totalAmount: "0", paymentTokenDecimals: 6 }));
const representation = new Representation(0n, 0n, BODY, { sale: SALE });

it("is that of a sale with figures, and of one whose contract wasn't read yet", async () => {
  expect(await saleContact({ read: async () => ({ representation, ageSeconds: undefined }) }, "a")).toBe(
    "help@sale.example",
  );
  const unread = { read: () => Promise.reject(new UnreadSale(SALE, undefined)) };
  expect(await saleContact(unread, "a")).toBe("help@sale.example");
});

it("is empty of a sale that has none, or can't be read", async () => {
  const bare = new Representation(0n, 0n, BODY);
  expect(await saleContact({ read: async () => ({ representation: bare, ageSeconds: undefined }) }, "a")).toBe("");
  const away = { read: () => Promise.reject(new PublicError("unavailable", "away")) };
  expect(await saleContact(away, "a")).toBe("");
});

it("is empty of a sale that takes longer than a page waits", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const contact = saleContact({ read: () => Promise.withResolvers<never>().promise }, "a");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await contact).toBe("");
  const quick = saleContact({ read: async () => ({ representation, ageSeconds: undefined }) }, "a");
  expect([await quick, vi.getTimerCount()]).toEqual(["help@sale.example", 0]);
});
