import { describe, expect, it } from "vitest";
import { LocalBus } from "../../../common/platform/bus/local-bus.ts";
import type { WatchCommitmentDataResponse } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { type CommitmentsFixture, describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { apply, draftSale, openedSale, record, refusal } from "../../support/sales/sale-messages.ts";

/** A bus that delivers nothing. */
class DeafBus extends LocalBus {
  override async publish(): Promise<void> {}
}

/** Watcher whose messages are read one by one. */
class Watcher {
  readonly #messages: AsyncIterator<WatchCommitmentDataResponse>;
  readonly #ending = new AbortController();

  constructor({ commitments }: CommitmentsFixture, saleUuid: string, resumeToken = "") {
    const options = { signal: this.#ending.signal };
    this.#messages = commitments.watchCommitmentData({ saleUuid, resumeToken }, options)[Symbol.asyncIterator]();
  }

  /** The next state, and the token to go on from there. */
  async state() {
    const { value }: { value: WatchCommitmentDataResponse } = await this.#messages.next();
    if (value.event.case !== "state") throw new Error(`got ${value.event.case}`);
    return { ...value.event.value, resumeToken: value.resumeToken };
  }

  async refusal() {
    return refusal(this.#messages.next());
  }

  end(): void {
    this.#ending.abort();
  }
}

const total = ({ data }: { data?: { totalAmount: string } | undefined }) => data?.totalAmount;

describeCommitments("WatchCommitmentData", (service) => {
  it("sends the state at once, then each new one", async () => {
    const saleUuid = await openedSale(service());
    const watcher = new Watcher(service(), saleUuid);
    const first = await watcher.state();
    expect(first).toMatchObject({ revision: 2n, skippedRevisions: 0n });
    expect(total(first)).toBe("0");
    for (const number of [1, 2, 3]) {
      const { revision } = await apply(service(), saleUuid, { upserts: [record(number)] });
      const state = await watcher.state();
      expect(state).toMatchObject({ revision, skippedRevisions: 0n });
      const { data } = await service().commitments.getCommitmentData({ saleUuid });
      expect(state.data).toEqual(data);
    }
    watcher.end();
  });

  it("resumes from a token: sends nothing that is known, and says how much was skipped", async () => {
    const saleUuid = await openedSale(service());
    const before = new Watcher(service(), saleUuid);
    const { resumeToken } = await before.state();
    before.end();
    const uptodate = new Watcher(service(), saleUuid, resumeToken);
    const next = uptodate.state();
    for (const number of [1, 2, 3]) await apply(service(), saleUuid, { upserts: [record(number)] });
    let { revision } = await next;
    expect(revision).toBeGreaterThan(2n);
    // All watchers share what is read, so that the next one begins with this state or a later one.
    while (revision < 5n) ({ revision } = await uptodate.state());
    const resumed = new Watcher(service(), saleUuid, resumeToken);
    const state = await resumed.state();
    expect(state).toMatchObject({ revision: 5n, skippedRevisions: 2n });
    expect(total(state)).toBe("3000");
    for (const watcher of [uptodate, resumed]) watcher.end();
  });

  it("counts the revisions that it skips, and never skips the last one", async () => {
    const saleUuid = await openedSale(service());
    const watcher = new Watcher(service(), saleUuid);
    let state = await watcher.state();
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => apply(service(), saleUuid, { upserts: [record(index + 1)] })),
    );
    while (state.revision < 32n) {
      const before = state.revision;
      state = await watcher.state();
      expect(state.skippedRevisions).toBe(state.revision - before - 1n);
    }
    expect(total(state)).toBe("30000");
    watcher.end();
  });

  it("refuses what it can't watch", async () => {
    const saleUuid = await openedSale(service());
    const watcher = new Watcher(service(), saleUuid);
    const { resumeToken } = await watcher.state();
    watcher.end();
    const draft = await draftSale(service());
    const refused = (uuid: string, token?: string) => new Watcher(service(), uuid, token).refusal();
    expect((await refused(draft)).code).toBe("not_found");
    expect((await refused("00000000-0000-4000-8000-000000000000")).code).toBe("not_found");
    expect((await refused("no uuid")).code).toBe("invalid_argument");
    expect((await refused(saleUuid, "no token")).code).toBe("invalid_argument");
    expect((await refused(saleUuid, `${"0".repeat(16)}-1`)).code).toBe("failed_precondition");
    expect((await refused(saleUuid, resumeToken.replace(/\d+$/, "99"))).code).toBe("failed_precondition");
  });
});

describe("with a bound", () => {
  describeCommitments(
    "WatchCommitmentData",
    (service) => {
      it("refuses a stream too many, and takes one when another has ended", async () => {
        const saleUuid = await openedSale(service());
        const watcher = new Watcher(service(), saleUuid);
        await watcher.state();
        expect((await new Watcher(service(), saleUuid).refusal()).code).toBe("resource_exhausted");
        watcher.end();
        await expect
          .poll(() =>
            new Watcher(service(), saleUuid).state().then(
              () => "watching",
              () => "refused",
            ),
          )
          .toBe("watching");
      });
    },
    { watchMaxStreams: 1 },
  );
});

describe("with a bus that is silent", () => {
  describeCommitments(
    "WatchCommitmentData",
    (service) => {
      it("finds changes by itself", async () => {
        const saleUuid = await openedSale(service());
        const watcher = new Watcher(service(), saleUuid);
        await watcher.state();
        await apply(service(), saleUuid, { upserts: [record(1)] });
        expect(total(await watcher.state())).toBe("1000");
        watcher.end();
      });
    },
    { bus: new DeafBus() },
  );
});
