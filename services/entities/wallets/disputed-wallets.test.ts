import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { beforeEach, expect, it } from "vitest";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { FeedStateSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { DisputedWalletState, type Entity } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { BID_FINALITY_MS } from "../base/lifetimes.ts";
import { ensureSaleEntity, type SaleEntity } from "../entities/sale-entities-store.ts";
import { bindWallet } from "../testing/bind-wallet.ts";
import { type PeopleFixture, type Person, peopleFixture, required } from "../testing/people-fixture.ts";
import { EVERY_CHAIN } from "./proof-chain.ts";
import { linkWallet } from "./wallet-links-store.ts";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const WALLET = parseWallet("evm", ADDRESS, "wallet");
const CHAIN_ID = 8_453n;
const { FREE, HELD, DISPLACED, BID_OF_ANOTHER, PROVED_BY_ANOTHER, UNSPECIFIED } = DisputedWalletState;

let fixture: PeopleFixture;
let saleUuid: string;
let holder: Person;
let owner: Person;
let held: Entity;
let owned: Entity;
let ids: SaleEntity;
let permitEndMs: bigint;

/** The holder has a permit for a wallet of which it has proved nothing. */
beforeEach(async () => {
  fixture = await peopleFixture();
  saleUuid = fixture.sale();
  [holder, owner] = [fixture.person("holder"), fixture.person("owner")];
  [held, owned] = [await holder.createEntity(), await owner.createEntity()];
  ids = await ensureSaleEntity(fixture.dependencies, saleUuid, { uuid: held.uuid }, holder.email);
  permitEndMs = fixture.time.now() + 600_000n;
  readUntil(fixture.time.now());
  await bind(held.uuid);
});

function readUntil(atMs: bigint): void {
  const asOf = { blockTime: timestampFromMs(Number(atMs)) };
  const chain = { chainId: CHAIN_ID };
  required(fixture.sales.get(saleUuid)).feedState = create(FeedStateSchema, { asOf, chain });
}

async function bind(entityUuid: string): Promise<void> {
  const { database } = fixture.dependencies;
  const rules = { maxWalletsPerEntity: 1, linkingRequired: false };
  const use = {
    saleUuid,
    chainId: CHAIN_ID,
    entityUuid,
    wallet: WALLET,
    rules,
    bids: {},
    permitExpiresAtMs: permitEndMs,
  };
  await database.write((transaction) => bindWallet(transaction, database.dialect, use, 0n));
}

const link = (entityUuid: string, chain = EVERY_CHAIN) =>
  fixture.dependencies.database.write((transaction) =>
    linkWallet(transaction, { entityUuid, wallet: WALLET }, chain, fixture.time.now()),
  );

async function disputes({ entities }: Person, { uuid }: Entity) {
  const { disputedWallets } = await entities.getEntity({ entityUuid: uuid });
  return disputedWallets.map(({ $typeName: _, ...wallet }) => wallet);
}

/** The states for the holder and for the owner. */
async function states() {
  const both = [...(await disputes(holder, held)), ...(await disputes(owner, owned))];
  return both.map(({ state }) => state);
}

it("says to both whose a wallet is and until when, from the owner's proof on", async () => {
  expect(await states()).toEqual([]);
  await link(owned.uuid);
  const untilMs = permitEndMs + BID_FINALITY_MS;
  const until = timestampFromMs(Number(untilMs));
  const wallet = { kind: 1, address: ADDRESS, saleUuid, saleName: "Harbour" };
  expect(await disputes(holder, held)).toEqual([{ ...wallet, state: DISPLACED }]);
  expect(await disputes(owner, owned)).toMatchObject([{ ...wallet, state: HELD, until: { seconds: until.seconds } }]);
  readUntil(untilMs + 1_000n);
  expect(await states()).toEqual([DISPLACED, FREE]);
});

it("says that a bid counts for good", async () => {
  await link(owned.uuid);
  const entityId = Uint8Array.from(ids.saleSpecificId);
  const amounts = [{ wallet: ADDRESS.toLowerCase(), token: ADDRESS, amount: "0" }];
  fixture.records.push(create(CommitmentRecordSchema, { entityId, amounts }));
  expect(await states()).toEqual([BID_OF_ANOTHER]);
});

it("says that who has proved it first keeps it", async () => {
  await link(held.uuid);
  await link(owned.uuid);
  expect(await states()).toEqual([PROVED_BY_ANOTHER]);
});

it("says nothing of a proof that doesn't count in the sale, and of a sale that isn't open", async () => {
  await link(owned.uuid, 10n);
  expect(await states()).toEqual([]);
  await link(owned.uuid, CHAIN_ID);
  expect(await states()).toEqual([DISPLACED, HELD]);
  required(fixture.sales.get(saleUuid)).status = SaleStatus.SETTLED;
  expect(await states()).toEqual([]);
});

it("says so if the contract can't be asked, for whatever reason, and nothing if the sale can't be", async () => {
  await link(owned.uuid);
  const { Unavailable, PermissionDenied, Unauthenticated, Unimplemented, Internal } = Code;
  for (const code of [Unavailable, PermissionDenied, Unauthenticated, Unimplemented, Internal]) {
    fixture.faults.set("getPosition", code);
    expect(await states()).toEqual([UNSPECIFIED, UNSPECIFIED]);
    fixture.faults.clear();
    fixture.faults.set("getSale", code);
    expect(await states()).toEqual([]);
    fixture.faults.clear();
  }
});
