import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { changedBlock } from "../../../gateway/public-read/cache/changed-block.ts";
import { SaleFieldsCache } from "../../../gateway/public-read/cache/sale-fields.ts";
import { SaleInfo } from "../../../gateway/public-read/cache/sale-info.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { pngImage } from "../../../services/auth/testing/images.ts";
import { type CommitmentsFixture, describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { amountOf, apply, auction, evmSource, idBytes, openedSale, record } from "../../support/sales/sale-messages.ts";

const STAGES = {
  pre_open: SaleStage.PRE_OPEN,
  commitment: SaleStage.COMMITMENT,
  cancellation: SaleStage.CANCELLATION,
  settlement: SaleStage.SETTLEMENT,
  done: SaleStage.DONE,
} as const;
type Stage = keyof typeof STAGES;
const LOGOS = [16, 24].map((side) => Uint8Array.from(pngImage(side, side)));

/** The sale as readers see it, kept in the simplest way. */
interface Model {
  /** Smallest units by the number of a commitment. */
  readonly rows: Map<number, number>;
  stage: Stage | undefined;
  /** Block of the last change; undefined where it came without one. */
  changed: number | undefined;
  asOf: number | undefined;
  explorer: string | undefined;
  texts: Record<string, string>;
  logo: Uint8Array<ArrayBuffer> | undefined;
  revision: bigint;
}

type Step =
  | { readonly kind: "apply"; id: number; units: number; stage: Stage | undefined; block: number | undefined }
  | { readonly kind: "report"; block: number; explorer: string | undefined }
  | { readonly kind: "describe"; texts: Record<string, string> | undefined }
  | { readonly kind: "logo"; index: number };

const block = fc.integer({ min: 1, max: 9 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const text = maybe(fc.constantFrom("", "One", "Two\nlines", '"quoted" & 🌊'));
const texts = fc.record({ description: text, offeredTokenSymbol: maybe(fc.constantFrom("", "TIDE", "X")) });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("apply" as const),
        id: fc.integer({ min: 1, max: 3 }),
        units: fc.integer({ min: 0, max: 2 }),
        stage: maybe(fc.constantFrom(...(Object.keys(STAGES) as Stage[]))),
        block: maybe(block),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("report" as const),
        block,
        explorer: maybe(fc.constantFrom("", "https://e.example/a")),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("describe" as const), texts: maybe(texts.map(given)) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("logo" as const), index: fc.integer({ min: 0, max: 2 }) }),
    },
  ),
  { minLength: 8, maxLength: 12 },
);

/** The entries that aren't empty. */
function given(entered: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(entered).filter((entry): entry is [string, string] => !!entry[1]));
}

/** A sale behind the RPCs, and its model. */
class Driven {
  readonly saleUuid: string;
  readonly #service: CommitmentsFixture;
  readonly #model: Model;
  readonly #info = new SaleInfo(
    60_000,
    new SaleFieldsCache({ signers: { get: () => "", ready: async () => {} }, origin: "" }),
  );

  private constructor(service: CommitmentsFixture, saleUuid: string, revision: bigint) {
    this.#service = service;
    this.saleUuid = saleUuid;
    const unknown = { stage: undefined, changed: undefined, asOf: undefined, explorer: undefined, logo: undefined };
    this.#model = { rows: new Map(), texts: {}, revision, ...unknown };
  }

  /** Opens a chain-fed sale whose first, empty snapshot was applied. */
  static async open(service: CommitmentsFixture): Promise<Driven> {
    const saleUuid = await openedSale(service, auction({ source: evmSource() }));
    await service.commitments.acquireSaleLease({ saleUuid, holder: "reader", duration: { seconds: 300n } });
    const { revision } = await apply(service, saleUuid, { leaseEpoch: 1n });
    return new Driven(service, saleUuid, revision);
  }

  async run(step: Step): Promise<void> {
    if (step.kind === "apply") await this.#apply(step);
    else if (step.kind === "report") await this.#report(step);
    else if (step.kind === "describe") await this.#describe(step.texts);
    else await this.#setLogo(LOGOS[step.index]);
  }

  async #apply({ id, units, stage, block: height }: Extract<Step, { kind: "apply" }>): Promise<void> {
    const model = this.#model;
    const isVisible = model.rows.get(id) !== units || (stage !== undefined && stage !== model.stage);
    model.rows.set(id, units);
    model.stage = stage ?? model.stage;
    if (isVisible) model.changed = height;
    if (isVisible) model.revision++;
    await apply(this.#service, this.saleUuid, {
      leaseEpoch: 1n,
      upserts: [record(id, { amounts: [amountOf(BigInt(units))] })],
      ...(stage !== undefined && { stage: STAGES[stage] }),
      ...(height !== undefined && { sourcePosition: { height: BigInt(height), hash: idBytes(height) } }),
    });
  }

  async #report({ block: height, explorer }: Extract<Step, { kind: "report" }>): Promise<void> {
    this.#model.asOf = height;
    this.#model.explorer = explorer ?? this.#model.explorer;
    await this.#service.as("indexer").commitments.reportSourceStatus({
      saleUuid: this.saleUuid,
      leaseEpoch: 1n,
      asOf: { height: BigInt(height), hash: idBytes(height) },
      ...(explorer !== undefined && { chain: { chainId: 8453n, contractUrl: explorer } }),
    });
  }

  async #describe(entered: Record<string, string> | undefined): Promise<void> {
    const model = this.#model;
    const next = entered ?? model.texts;
    if (JSON.stringify(next) !== JSON.stringify(model.texts)) model.revision++;
    model.texts = next;
    const { sales } = this.#service;
    const { sale } = await sales.getSale({ saleUuid: this.saleUuid });
    const expectedDefinitionVersion = sale?.definitionVersion ?? 0n;
    const definition = auction({ source: evmSource(), ...(entered && { presentation: entered }) });
    await sales.updateSale({ saleUuid: this.saleUuid, definition, expectedDefinitionVersion });
  }

  async #setLogo(image: Uint8Array<ArrayBuffer> | undefined): Promise<void> {
    if (image !== this.#model.logo) this.#model.revision++;
    this.#model.logo = image;
    await this.#service.sales.setSaleLogo({ saleUuid: this.saleUuid, image: image ?? new Uint8Array() });
  }

  /** Compares what a reader of `read-sale` gets, and the block of the last change, with the model. */
  async check(): Promise<void> {
    const { commitments } = this.#service;
    const data = await commitments.getCommitmentData({ saleUuid: this.saleUuid });
    const { rows, stage, changed, asOf, explorer, texts: entered, logo, revision } = this.#model;
    const observation = { state: data.feedState, knownAt: 0, confirmedAt: 0, sale: data.sale };
    const document = this.#info.document(this.saleUuid, observation, 0);
    const shown = JSON.parse(document?.identity.bytes.toString() ?? "null");
    expect(data.revision).toBe(revision);
    expect(data.data?.totalAmount).toBe(String([...rows.values()].reduce((sum, units) => sum + units, 0)));
    const hash = `0x${Buffer.from(idBytes(changed ?? 0)).toString("hex")}`;
    expect(changedBlock(data.changedPosition)).toBe(changed === undefined ? undefined : `${changed};hash="${hash}"`);
    expect([shown.Status, shown.Stage]).toEqual([stage === "done" ? "settled" : "open", stage]);
    expect([shown.Description, shown.OfferedToken.Symbol]).toEqual([
      entered["description"],
      entered["offeredTokenSymbol"],
    ]);
    const logoHash = logo && createHash("sha256").update(logo).digest("hex");
    expect(shown.LogoURL).toBe(logoHash && `/logos/${logoHash}`);
    expect(shown.AsOf?.Block).toBe(asOf === undefined ? undefined : String(asOf));
    expect(shown.Contract.ExplorerURL).toBe(explorer === "" ? undefined : explorer);
    expect(shown.Contract.ChainID).toBe(explorer === undefined ? undefined : 8453);
    if (logoHash !== undefined) expect((await commitments.getSaleLogo({ logo: logoHash })).image).toEqual(logo);
  }
}

describeCommitments("what a sale is", (service) => {
  it("equals a model after any sequence of changes, reports, settlements and their undoing", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const driven = await Driven.open(service());
        for (const step of sequence) {
          await driven.run(step);
          await driven.check();
        }
      }),
      { numRuns: 6 },
    );
  });
});
