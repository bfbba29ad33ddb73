import { Code } from "@connectrpc/connect";
import { beforeEach, expect, it } from "vitest";
import {
  ContractKnowledge,
  type PermitKey,
  PermitKeyStatus,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { Upstreams } from "../../../services/entities/base/upstreams.ts";
import { describeEntities } from "../../support/processes/entities-fixture.ts";
import { auction, draftSale, evmSource, MINT, refusal } from "../../support/sales/sale-messages.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** The addresses that the contract accepts, and whether it can be asked. */
const contract = { accepts: new Set<string>(), isAway: false };
const indexer = {
  checkPermitSigner: async ({ signer = "" }) => {
    if (contract.isAway) throw new Error("the node doesn't answer");
    return { accepted: contract.accepts.has(signer), problem: "" };
  },
  checkSource: async () => ({ readable: true }),
} as unknown as Upstreams["indexer"];

describeEntities(
  "the keys of a sale's permits",
  (service) => {
    let saleUuid: string;
    beforeEach(async () => {
      Object.assign(contract, { accepts: new Set(), isAway: false });
      saleUuid = await draftSale(service().auth.commitments, auction({ source: evmSource() }));
    });

    const create = async (): Promise<PermitKey> => {
      const { key } = await service().permits.createKey({ saleUuid });
      if (key === undefined) throw new Error("no key");
      return key;
    };
    const activate = ({ keyUuid }: PermitKey, override = false) =>
      service().permits.activateKey({ saleUuid, keyUuid, override });
    const list = async () => (await service().permits.listKeys({ saleUuid })).keys;
    const activated = async () => {
      const key = await create();
      contract.accepts.add(key.address);
      await activate(key);
      return key;
    };

    it("go from next to active once the contract knows them, and one after the other", async () => {
      const first = await create();
      expect(first).toMatchObject({ status: PermitKeyStatus.NEXT, chain: "ethereum", remote: false });
      expect(first.address).toMatch(ADDRESS);
      expect(first.contract).toBe(ContractKnowledge.UNKNOWN_KEY);
      expect(await refusal(activate(first))).toMatchObject({ code: "failed_precondition" });
      contract.accepts.add(first.address);
      expect((await activate(first)).key).toMatchObject({
        status: PermitKeyStatus.ACTIVE,
        contract: ContractKnowledge.KNOWN,
      });
      service().auth.time.advance(1);
      const second = await activated();
      expect((await list()).map(({ keyUuid, status }) => [keyUuid, status])).toEqual([
        [second.keyUuid, PermitKeyStatus.ACTIVE],
        [first.keyUuid, PermitKeyStatus.RETIRED],
      ]);
      expect(await refusal(activate(first))).toMatchObject({ code: "failed_precondition" });
    });

    it("are at most one next, and activated again without a change", async () => {
      const key = await create();
      expect(await refusal(create())).toMatchObject({ code: "failed_precondition" });
      await activate(key, true);
      const at = (await list())[0]?.activatedAt;
      service().auth.time.advance(5_000);
      await activate(key, true);
      expect((await list())[0]?.activatedAt).toEqual(at);
    });

    it("are created at most once by concurrent calls", async () => {
      const calls = await Promise.allSettled(Array.from({ length: 5 }, create));
      expect(calls.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await list()).toHaveLength(1);
    });

    it("are deleted once they don't sign and no permit of theirs is valid", async () => {
      const first = await activated();
      const remove = ({ keyUuid }: PermitKey) => service().permits.retireKey({ saleUuid, keyUuid });
      expect(await refusal(remove(first))).toMatchObject({ code: "failed_precondition" });
      const second = await activated();
      service().auth.time.advance(599_999);
      expect(await refusal(remove(first))).toMatchObject({ code: "failed_precondition" });
      service().auth.time.advance(1);
      await remove(first);
      const next = await create();
      await remove(next);
      expect((await list()).map(({ keyUuid }) => keyUuid)).toEqual([second.keyUuid]);
      expect(await refusal(remove(first))).toMatchObject({ code: "not_found" });
    });

    it("say so if the contract can't be asked, and can be activated nevertheless", async () => {
      contract.isAway = true;
      const key = await create();
      expect(key.contract).toBe(ContractKnowledge.UNSPECIFIED);
      expect(key.contractProblem).toContain("can't be asked");
      expect(await refusal(activate(key))).toMatchObject({ code: "failed_precondition" });
      expect((await activate(key, true)).key?.status).toBe(PermitKeyStatus.ACTIVE);
    });

    it("are for one chain: after another contract was entered, the key of the first isn't activated", async () => {
      const key = await create();
      const { sales } = service().auth.commitments;
      const definition = auction({ source: evmSource({ chain: "base" }) });
      await sales.updateSale({ saleUuid, definition, expectedDefinitionVersion: 1n });
      expect(await refusal(activate(key, true))).toMatchObject({ code: "failed_precondition" });
      expect((await list())[0]?.contractProblem).toContain("ethereum");
    });

    it("are public by the address that signs now, which the gateway may ask for", async () => {
      const signer = async (sale = saleUuid) =>
        (await service().as("gateway").permits.getSigner({ saleUuid: sale })).address;
      expect(await signer()).toBe("");
      await create();
      expect(await signer()).toBe("");
      await service().permits.retireKey({ saleUuid, keyUuid: (await list())[0]?.keyUuid ?? "" });
      const [first, second] = [await activated(), await activated()];
      for (const key of [first, second]) expect(key.address).toMatch(ADDRESS);
      expect(await signer(saleUuid.toUpperCase())).toBe(second.address);
      const { sales } = service().auth.commitments;
      const definition = auction({ source: evmSource({ chain: "base" }) });
      await sales.updateSale({ saleUuid, definition, expectedDefinitionVersion: 1n });
      expect(await signer()).toBe("");
      expect(await signer(await draftSale(service().auth.commitments, auction()))).toBe("");
      expect(await refusal(signer("00000000-0000-4000-8000-000000000000"))).toMatchObject({ code: "not_found" });
    });

    it("are public keys on Solana", async () => {
      const value = { chain: "solana", saleAccount: MINT };
      const token = { address: MINT, decimals: 6, usdStablecoin: true };
      const source = { case: "svm" as const, value };
      saleUuid = await draftSale(service().auth.commitments, auction({ source, paymentTokens: [token] }));
      expect((await create()).address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    });

    it("need a contract", async () => {
      saleUuid = await draftSale(service().auth.commitments, auction());
      expect(await refusal(create())).toMatchObject({ code: "failed_precondition" });
    });

    it("are stored wrapped, erased when they sign no more, and in no line of the log", async () => {
      const first = await activated();
      const stored = () =>
        service().database.query.selectFrom("permit_key").select(["private_key", "status"]).execute();
      const [before] = (await stored()).filter(({ status }) => status === "active");
      // 12 bytes of nonce, 32 of key, 16 of tag.
      expect(before?.private_key).toHaveLength(60);
      await activated();
      const rows = await service()
        .database.query.selectFrom("permit_key")
        .select("private_key")
        .where("permit_key", "=", Buffer.from(first.keyUuid.replaceAll("-", ""), "hex"))
        .executeTakeFirstOrThrow();
      expect(rows.private_key).toBeNull();
      expect(JSON.stringify(service().log)).not.toContain(Buffer.from(before?.private_key ?? []).toString("hex"));
    });

    it("are for owners with a recent sign-in, shown to viewers, and in the sale's activity log", async () => {
      const { auth } = service();
      const owner = await auth.signIn(`owner-${saleUuid}@example.com`);
      const stranger = await auth.signIn(`stranger-${saleUuid}@example.com`);
      const own = await draftSale(await auth.saleClientsOf(owner), auction({ source: evmSource() }));
      const asOwner = (await service().asPerson(owner)).permits;
      const { key } = await asOwner.createKey({ saleUuid: own });
      expect((await asOwner.listKeys({ saleUuid: own })).keys).toHaveLength(1);
      const asStranger = (await service().asPerson(stranger)).permits;
      for (const call of [asStranger.listKeys, asStranger.createKey])
        await expect(call({ saleUuid: own })).rejects.toMatchObject({ code: Code.NotFound });
      auth.time.advance(11 * 60_000);
      const late = (await service().asPerson(owner)).permits.activateKey({
        ...{ saleUuid: own, keyUuid: key?.keyUuid ?? "", override: true },
      });
      expect(await refusal(late)).toMatchObject({ code: "failed_precondition" });
      const { events } = await auth.memberships.listSaleEvents({ saleUuid: own });
      const changes = events.flatMap(({ changes }) => changes);
      expect(changes).toContainEqual(expect.objectContaining({ field: "Next permit key", after: key?.address }));
    });
  },
  { indexer },
);
