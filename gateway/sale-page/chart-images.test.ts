import { beforeEach, describe, expect, it } from "vitest";
import type { Representation } from "../public-read/cache/representation.ts";
import { digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError } from "../web/http/public-error.ts";
import { ChartImages, type RequestedChart } from "./chart-images.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const HISTORY: RequestedChart = { saleUuid: SALE, language: "en", name: "history" };
const BODY = {
  Commitments: [],
  TotalCommitmentAmount: "500",
  UniqueCommitmentCount: 2,
  PaymentTokenDecimals: 0,
  OfferedTokenDecimals: 0,
};

let isPublic = true;
let now = 0;
/** Time at which the figures were last known to be current. */
let knownAt = 0;
let total = 0;
const images = new ChartImages({
  cache: {
    read: async () => ({ representation: representation(), ageSeconds: undefined }),
    feed: () => ({
      representation: representation(),
      sale: undefined,
      state: undefined,
      knownAt,
      confirmedAt: knownAt,
    }),
    unreachableAfterMs: 10_000,
  },
  documents: { history: { read: figures }, demand: { read: figures } },
  now: () => now,
  wallClock: () => 1_800_000_000_000 + now,
});
beforeEach(() => {
  isPublic = true;
  knownAt = now += 60_000;
});

function representation(): Representation {
  const identity = { bytes: Buffer.from(JSON.stringify(BODY)), headers: [], postHeaders: [] };
  return { identity, sale: undefined } as unknown as Representation;
}

/** Answers other figures each time. */
async function figures() {
  if (!isPublic) throw new PublicError("not_found", "There is no such sale.");
  total += 100;
  const From = "2027-01-15T07:00:00Z";
  const Points = [{ From, Seconds: 1, TotalCommitmentAmount: `${total}`, UniqueCommitmentCount: 1 }];
  const bytes = Buffer.from(JSON.stringify({ Points }));
  return { representation: new PublicDocument(digestEtag(bytes), bytes, ""), ageSeconds: 7 };
}

describe("the images of charts", () => {
  it("are drawn once for all readers of a second, and again after it", async () => {
    const { representation: first, ageSeconds } = await images.read(HISTORY);
    expect(ageSeconds).toBe(7);
    now += 999;
    expect((await images.read(HISTORY)).representation).toBe(first);
    now += 1;
    expect((await images.read(HISTORY)).representation.etag).not.toBe(first.etag);
  });

  it("end where the figures end", async () => {
    const end = async () => {
      const { representation } = await images.read(HISTORY);
      return / (\d\d:\d\d) UTC<\/text><\/svg>|>(\d\d:\d\d) UTC<\/text>$/.exec(representation.identity.bytes.toString());
    };
    const current = await end();
    now += 3_600_000;
    expect(await end()).toEqual(current);
  });

  it("are held for each chart and language", async () => {
    const [english, german, count] = await Promise.all(
      [HISTORY, { ...HISTORY, language: "de" } as const, { ...HISTORY, name: "count" } as const].map((wanted) =>
        images.read(wanted),
      ),
    );
    expect(german?.representation.identity.headers).toContain("de");
    expect(english?.representation.identity.headers).toContain("en");
    expect(new Set([english, german, count].map((each) => each?.representation)).size).toBe(3);
  });

  it("aren't shown of a sale that isn't public any more", async () => {
    await images.read(HISTORY);
    isPublic = false;
    await expect(images.read(HISTORY)).rejects.toThrow("There is no such sale.");
  });

  it("refuses the clearing price of a sale without one, again and again", async () => {
    for (let time = 0; time < 2; time += 1) {
      await expect(images.read({ ...HISTORY, name: "clearing" })).rejects.toThrow("Only an auction");
    }
  });
});
