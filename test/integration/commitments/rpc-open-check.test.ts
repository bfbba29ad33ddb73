import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, expect, it } from "vitest";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import {
  CheckSourceResponseSchema,
  CheckTokensResponseSchema,
} from "../../../proto/gen/tidemark/indexer/v1/indexer_service_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  applyUnderLease,
  auction,
  type DefinitionInit,
  draftSale,
  evmSource,
  refusal,
  USDX,
  USDY,
  usdx,
} from "../../support/sales/sale-messages.ts";

const NAME = auction().name ?? "";
const CONTRACT = evmSource().value.contract;
const usdy = { address: USDY, decimals: 6, usdStablecoin: true };
const readable = { readable: true, paymentTokens: [USDX.toLowerCase()] };

type Source = MessageInitShape<typeof CheckSourceResponseSchema>;
type Tokens = NonNullable<MessageInitShape<typeof CheckTokensResponseSchema>["tokens"]>;

/** The indexer's answer about a contract. */
let source: (request: { chain?: string; address?: string }) => Source;
let tokens: Tokens;
const asked: unknown[] = [];

const indexer = {
  checkSource: async (request: { chain?: string; address?: string }) => {
    asked.push(request);
    return create(CheckSourceResponseSchema, source(request));
  },
  checkTokens: async (request: { addresses?: string[] }) => {
    asked.push(request);
    return create(CheckTokensResponseSchema, { tokens });
  },
};

describeCommitments(
  "the check of a source",
  (service) => {
    beforeEach(() => {
      asked.length = 0;
      source = () => readable;
      tokens = [{ address: USDX, decimals: 6, symbol: "USDX" }];
    });

    const chainDraft = (change: DefinitionInit = {}) =>
      draftSale(service(), auction({ source: evmSource(), ...change }));
    const open = (saleUuid: string, overrideConfirmName = "") =>
      service().sales.openSale({ saleUuid, overrideConfirmName });
    const expectRefused = async (saleUuid: string, call: () => Promise<unknown>, message: string) => {
      const error = await expectUnchanged(service().database, saleUuid, () => refusal(call()));
      expect(error).toMatchObject({ code: "failed_precondition", message: expect.stringContaining(message) });
      expect(error).toMatchObject({ violations: [{ field: "", rule: "source.check" }] });
    };

    it("opens a sale whose contract is its own, and gives its tokens their symbols", async () => {
      const saleUuid = await chainDraft();
      source = () => ({ ...readable, saleUuid });
      const { sale } = await open(saleUuid);
      expect(sale).toMatchObject({
        status: SaleStatus.OPEN,
        definitionVersion: 2n,
        definition: { paymentTokens: [{ symbol: "USDX" }] },
      });
      expect((await service().sales.getSale({ saleUuid })).sale?.definition).toEqual(sale?.definition);
      expect(asked).toMatchObject([
        { chain: "ethereum", address: CONTRACT },
        { chain: "ethereum", addresses: [USDX] },
      ]);
    });

    it("opens a sale that says which version its contract is of, and what that means", async () => {
      const draft = { source: evmSource({ contractVersion: 1 }), cancelledKeepsAmounts: true };
      const saleUuid = await chainDraft(draft);
      source = () => ({ ...readable, saleUuid, cancelledKeepsAmounts: true, problems: ["stage() is odd"] });
      expect((await open(saleUuid)).sale).toMatchObject({ status: SaleStatus.OPEN });
      expect(asked[0]).toMatchObject({ address: CONTRACT, contractVersion: 1 });
    });

    it.each<[string, () => Source, Tokens, string]>([
      [
        "an address without a contract",
        () => ({ readable: false, problems: ["there is no contract at that address"] }),
        [],
        "there is no contract at that address",
      ],
      [
        "a chain that isn't configured",
        () => {
          throw new ConnectError("chain ethereum isn't configured", Code.NotFound);
        },
        [],
        "chain ethereum isn't configured",
      ],
      [
        "the contract of another sale",
        () => ({ ...readable, saleUuid: "00000000-0000-4000-8000-000000000000" }),
        [],
        "belongs to another sale: it holds the ID 0x00000000000040008000000000000000",
      ],
      [
        "a contract that takes another token",
        () => ({ ...readable, paymentTokens: [USDX, USDY] }),
        [],
        `takes the payment token ${USDY}`,
      ],
      [
        "a contract that keeps the amounts of cancelled commitments",
        () => ({ ...readable, cancelledKeepsAmounts: true }),
        [],
        "the contract keeps the amounts of cancelled commitments, and the sale says otherwise",
      ],
      [
        "a token of other decimals",
        () => readable,
        [{ address: USDX, decimals: 18 }],
        "has 18 decimals on its chain, and 6 in the sale",
      ],
    ])("refuses %s, unless somebody types the sale's name", async (_, answer, found, message) => {
      const saleUuid = await chainDraft();
      source = answer;
      tokens = found;
      await expectRefused(saleUuid, () => open(saleUuid), message);
      const wrong = await expectUnchanged(service().database, saleUuid, () => refusal(open(saleUuid, "Another")));
      expect(wrong).toMatchObject({ code: "invalid_argument", violations: [{ field: "override_confirm_name" }] });
      expect((await open(saleUuid, NAME)).sale).toMatchObject({ status: SaleStatus.OPEN });
    });

    it("takes a token that doesn't say its decimals at its word", async () => {
      const saleUuid = await chainDraft({ paymentTokens: [{ ...usdx, symbol: "MINE" }] });
      tokens = [{ address: USDX, problem: "no token there says" }];
      expect((await open(saleUuid)).sale?.definition?.paymentTokens).toMatchObject([{ symbol: "MINE" }]);
    });

    it("says that it can't be done now where the indexer is away, and opens by an override", async () => {
      const saleUuid = await chainDraft();
      source = () => {
        throw new ConnectError("connection refused", Code.Unavailable);
      };
      const away = () => refusal(open(saleUuid));
      expect(await expectUnchanged(service().database, saleUuid, away)).toMatchObject({
        code: "unavailable",
        violations: [{ rule: "source.check" }],
      });
      expect((await open(saleUuid, NAME)).sale).toMatchObject({ status: SaleStatus.OPEN });
    });

    it("opens only the source that was checked", async () => {
      const saleUuid = await chainDraft();
      const answer = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      const held = indexer.checkSource;
      indexer.checkSource = async (request) => {
        reached.resolve();
        await answer.promise;
        return held(request);
      };
      const opening = refusal(open(saleUuid));
      await reached.promise;
      indexer.checkSource = held;
      const definition = auction({ source: evmSource({ contract: USDY }) });
      await service().sales.updateSale({ saleUuid, definition, expectedDefinitionVersion: 1n });
      answer.resolve();
      expect(await opening).toMatchObject({ code: "aborted" });
      expect((await service().sales.getSale({ saleUuid })).sale).toMatchObject({ status: SaleStatus.DRAFT });
    });

    it("asks nothing about a sale without a source", async () => {
      const saleUuid = await draftSale(service());
      await open(saleUuid);
      expect(asked).toEqual([]);
    });

    it("checks what an open sale gets: another source before the first read, a token after it", async () => {
      const saleUuid = await chainDraft();
      await open(saleUuid, NAME);
      const { sales } = service();
      const contract = USDY;
      const moved = { paymentTokens: [usdx], source: evmSource({ contract }) };
      const update = (change: DefinitionInit, expectedDefinitionVersion: bigint, overrideConfirmName = "") =>
        sales.updateSale({
          saleUuid,
          definition: auction(change),
          expectedDefinitionVersion,
          overrideConfirmName,
        });
      source = ({ address }) => (address === contract ? { readable: false, problems: ["nothing here"] } : readable);
      await expectRefused(saleUuid, () => update(moved, 2n), "nothing here");
      source = () => readable;
      expect((await update(moved, 2n)).sale).toMatchObject({
        definitionVersion: 3n,
        definition: { source: { value: { contract } }, paymentTokens: [{ symbol: "USDX" }] },
      });
      await applyUnderLease(service(), saleUuid);
      const added = { ...moved, paymentTokens: [usdx, usdy] };
      tokens = [{ address: USDY, decimals: 18 }];
      await expectRefused(saleUuid, () => update(added, 3n), `${USDY} has 18 decimals`);
      tokens = [{ address: USDY, decimals: 6, symbol: "USDY" }];
      asked.length = 0;
      expect((await update(added, 3n)).sale?.definition?.paymentTokens).toMatchObject([
        { symbol: "USDX" },
        { symbol: "USDY" },
      ]);
      expect(asked).toMatchObject([{ addresses: [USDY] }]);
    });
  },
  { indexer: { ...indexer, checkSource: (request: { chain?: string }) => indexer.checkSource(request) } as never },
);
