import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import type { Transaction } from "kysely";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Wallet, walletColumn, walletKey, walletOfBytes } from "../../../common/chains/wallet.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { routerTransport } from "../../../common/platform/rpc/testing/router-transport.ts";
import { FakeClock } from "../../../common/platform/testing/fake-clock.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import {
  type NotifyAccountRequest,
  NotifyAccountResponseSchema,
  SaleAlert,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import {
  ClearingOutcome,
  GetBidOutcomesResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleSchema, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetSaleResponseSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { AlertReason, AlertService } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { AlertSubscription } from "../../../services/entities/alerts/alert.ts";
import {
  findSubscription,
  storeJudgement,
  updateSubscription,
} from "../../../services/entities/alerts/alerts-store.ts";
import { judgeSales } from "../../../services/entities/alerts/judge-sales.ts";
import { ALLOWED_CALLERS } from "../../../services/entities/allowed-callers.ts";
import { entitiesConfig } from "../../../services/entities/base/config.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import { migrateStore, openStore } from "../../../services/entities/base/open-store.ts";
import type { EntitiesDatabase, EntitiesSchema } from "../../../services/entities/base/schema.ts";
import type { Upstreams } from "../../../services/entities/base/upstreams.ts";
import { insertEntity } from "../../../services/entities/entities/entities-store.ts";
import { type Notice, type SaleAlertName, storeNotice } from "../../../services/entities/notices/notices-store.ts";
import { sendNotices, sendSaleAlerts } from "../../../services/entities/notices/send-notices.ts";
import { eraseSale } from "../../../services/entities/permits/erase-sale.ts";
import { entitiesRoutes } from "../../../services/entities/routes.ts";
import { sampleEntity, storeEntity } from "../../../services/entities/testing/sample-entity.ts";
import { wireContext } from "../../../services/entities/wired-context.ts";
import { describeEachDatabase, type TestDatabase } from "../../support/databases/databases.ts";
import { entitiesStore } from "../../support/processes/entities-fixture.ts";
import { SOON } from "../../support/repository/polling.ts";

const running = new AbortController().signal;
const MINUTE_MS = 60_000;
const ALL = [AlertReason.POSITION, AlertReason.CLOSING, AlertReason.SETTLED];
const { IN, OUT, AT_MARGIN } = ClearingOutcome;

/** The other services, as a test wants them. */
class Others {
  saleUuid: string = randomUUID();
  /** The outcome of the one bid of each wallet, by its address in lower case. */
  readonly outcomes = new Map<string, ClearingOutcome>();
  /** The wallets of each call for outcomes. */
  readonly calls: number[] = [];
  status: SaleStatus = SaleStatus.OPEN;
  closesAtSeconds: bigint | undefined;
  changeSetOpen = false;
  commitmentsAway = false;
  /** Fails after the mail was taken, as if the process had ended before it knew. */
  answersLost = false;
  /** The mails that auth has sent, by their UUIDs, of which it knows repetitions. */
  readonly mails = new Map<string, NotifyAccountRequest>();

  upstreams(): Upstreams {
    const unused = () => Promise.reject(new ConnectError("not for this test", Code.Unimplemented));
    return {
      memberships: { getRole: unused, getRoles: unused, recordSaleChange: unused },
      indexer: { checkPermitSigner: unused, checkAccountSignature: unused, checkSource: unused },
      authorization: { checkAccess: unused, getJwks: unused },
      accounts: {
        getAccounts: unused,
        notifyReviewer: unused,
        notifyAccount: async (request) => {
          this.mails.set(request.noticeUuid ?? "", request as NotifyAccountRequest);
          if (this.answersLost) throw new ConnectError("the answer is lost", Code.Unavailable);
          return create(NotifyAccountResponseSchema);
        },
      },
      sales: {
        getSale: async ({ saleUuid = "" }) => {
          if (this.commitmentsAway) throw new ConnectError("away", Code.Unavailable);
          const { closesAtSeconds, status, changeSetOpen } = this;
          const presentation = closesAtSeconds === undefined ? {} : { presentation: { closesAtSeconds } };
          const definition = { name: "Harbour", ...presentation };
          const sale = create(SaleSchema, { uuid: saleUuid, status, generation: 1n, changeSetOpen, definition });
          return create(GetSaleResponseSchema, { sale });
        },
      },
      commitments: {
        getCommitmentRecords: unused,
        getPosition: unused,
        getBidOutcomes: async ({ wallets = [] }) => {
          this.calls.push(wallets.length);
          if (wallets.some((wallet) => !wallet.startsWith("0x"))) throw new ConnectError("no", Code.InvalidArgument);
          const answered = wallets.map((wallet) => {
            const clearingOutcome = this.outcomes.get(wallet.toLowerCase());
            const commitmentId = bytesOfHex(wallet.slice(2).padStart(64, "0"));
            return { bids: clearingOutcome === undefined ? [] : [{ commitmentId, clearingOutcome }] };
          });
          const { status } = this;
          return create(GetBidOutcomesResponseSchema, { status, generation: 1n, wallets: answered });
        },
      },
    };
  }

  /** Returns the alerts of the mails, in the order in which auth took them. */
  said(): readonly (SaleAlert | undefined)[] {
    return [...this.mails.values()].map(({ notice }) => (notice.case === "saleAlert" ? notice.value.alert : undefined));
  }

  lastToken(): string {
    const notice = [...this.mails.values()].at(-1)?.notice;
    if (notice?.case !== "saleAlert") throw new Error("the last mail isn't about a sale");
    return notice.value.stopToken;
  }
}

const DECIDED: Notice = { kind: "setup_decided", label: "Ann", approved: true, reason: "", final: false };

let nextWallet = 0;

function newWallet(): Wallet {
  nextWallet += 1;
  return walletOfBytes(Buffer.from(nextWallet.toString(16).padStart(40, "0"), "hex"));
}

describeEachDatabase("mails about sales", (variant) => {
  let testDatabase: TestDatabase;
  let database: EntitiesDatabase;
  let others: Others;
  let time: FakeClock;

  /** A process of the service. */
  const service = () => {
    const env = { AUTH_URL: "https://auth.example", KEY_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64url") };
    const config = entitiesConfig(new Env(env));
    return wireContext({
      ...others.upstreams(),
      config,
      database,
      clock: time.now,
      logger: captureLog().logger,
      derivedKeys: deriveKeys(config.keyEncryptionKey),
      registry: new Registry(),
    });
  };

  const clientOf = (accountUuid: string) => {
    const actor = { accountUuid, authenticatedAtMs: time.now(), authenticatedBy: "code" } as const;
    const given = { routes: entitiesRoutes(service()), allowed: ALLOWED_CALLERS };
    return createClient(AlertService, routerTransport({ ...given, caller: "gateway", actor }));
  };
  const ofAuth = () => {
    const given = { routes: entitiesRoutes(service()), allowed: ALLOWED_CALLERS };
    return createClient(EntityService, routerTransport({ ...given, caller: "auth" }));
  };

  const insertWallet = async (transaction: Transaction<EntitiesSchema>, entityUuid: string, wallet: Wallet) => {
    const row = { sale: bytesOfHex(others.saleUuid), wallet: walletColumn(wallet), kind: wallet.kind };
    const times = { proved_at_ms: null, bound_at_ms: 1n, permit_expires_at_ms: 1n, chain_id: 0n };
    await transaction
      .insertInto("sale_wallet")
      .values({ ...row, ...times, entity: bytesOfHex(entityUuid) })
      .execute();
  };

  /** A person with a wallet in the sale, whose bid is in. */
  const bidder = async (reasons: AlertReason[] = ALL) => {
    const { uuid, accountUuid } = await storeEntity(database);
    const wallet = newWallet();
    await database.write((transaction) => insertWallet(transaction, uuid, wallet));
    const address = `0x${Buffer.from(wallet.bytes).toString("hex")}`;
    const bid = (outcome: ClearingOutcome) => void others.outcomes.set(address, outcome);
    bid(IN);
    const alerts = clientOf(accountUuid);
    if (reasons.length > 0) await alerts.setAlerts({ saleUuid: others.saleUuid, reasons, language: "de" });
    return { accountUuid, alerts, bid, key: walletKey(wallet) };
  };

  /** A minute later, processes judge the sale at once and send what there is to send. */
  const minute = async (processes = 1) => {
    time.advance(MINUTE_MS);
    const all = Array.from({ length: processes }, service);
    await Promise.all(all.map((each) => judgeSales(each, running)));
    await sendSaleAlerts(service(), running).catch(() => {});
  };

  beforeAll(async () => {
    testDatabase = await variant.create();
    database = await openStore(entitiesStore(testDatabase));
    await migrateStore(database);
  });

  afterAll(async () => {
    await database.close();
    await testDatabase.remove();
  });

  beforeEach(async () => {
    await database.write(async (transaction) => {
      for (const table of ["alert_subscription", "alert_sale", "notice"] as const) {
        await transaction.deleteFrom(table).execute();
      }
    });
    others = new Others();
    time = new FakeClock();
  });

  it("go to who has asked, once for each change, from several processes", async () => {
    const [ann, bea, cleo] = [await bidder(), await bidder([]), await bidder([AlertReason.CLOSING])];
    await minute();
    for (const { bid } of [ann, bea, cleo]) bid(OUT);
    await minute(3);
    await minute(3);
    const [mail, ...more] = others.mails.values();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      accountUuid: ann.accountUuid,
      notice: { case: "saleAlert", value: { alert: SaleAlert.OUT, saleName: "Harbour", language: "de" } },
    });
    expect(JSON.stringify(mail)).not.toContain(ann.key);
  });

  it("say nothing of how bids stand when somebody asks", async () => {
    const { alerts, bid } = await bidder([]);
    bid(OUT);
    await alerts.setAlerts({ saleUuid: others.saleUuid, reasons: ALL });
    await minute();
    await minute();
    bid(AT_MARGIN);
    await minute();
    expect(others.said()).toEqual([]);
    bid(OUT);
    await minute();
    expect(others.said()).toEqual([SaleAlert.OUT]);
  });

  it("are stored with what the person knows: a process that ends in between loses none and sends none twice", async () => {
    const { bid } = await bidder();
    await minute();
    bid(OUT);
    time.advance(MINUTE_MS);
    const [stopping, stopped] = [service(), new AbortController()];
    const getBidOutcomes = async () => {
      stopped.abort();
      throw new Error("the process has ended");
    };
    const commitments = { ...stopping.commitments, getBidOutcomes };
    await expect(judgeSales({ ...stopping, commitments }, stopped.signal)).rejects.toThrow("ended");
    expect(others.said()).toEqual([]);
    others.answersLost = true;
    await minute();
    const [uuid] = others.mails.keys();
    expect(others.mails.size).toBe(1);
    others.answersLost = false;
    others.mails.clear();
    time.advance(MINUTE_MS);
    await sendSaleAlerts(service(), running);
    expect([...others.mails.keys()]).toEqual([uuid]);
    time.advance(MINUTE_MS);
    await sendSaleAlerts(service(), running);
    expect(others.mails.size).toBe(1);
  });

  it.each(["an open change set", "the commitments service away", "nobody judging"])(
    "say nothing of what has changed during a fault: %s",
    async (fault) => {
      const { bid } = await bidder();
      await minute();
      others.changeSetOpen = fault === "an open change set";
      others.commitmentsAway = fault === "the commitments service away";
      bid(OUT);
      if (fault === "nobody judging") time.advance(10 * MINUTE_MS);
      else await minute().catch(() => {});
      Object.assign(others, { changeSetOpen: false, commitmentsAway: false });
      await minute();
      await minute();
      expect(others.said()).toEqual([]);
      bid(IN);
      await minute();
      bid(AT_MARGIN);
      await minute();
      expect(others.said()).toEqual([SaleAlert.AT_MARGIN]);
    },
  );

  it("are dropped where auth could take them only half an hour later", async () => {
    const { bid } = await bidder();
    await minute();
    bid(OUT);
    others.answersLost = true;
    await minute();
    others.answersLost = false;
    others.mails.clear();
    time.advance(30 * MINUTE_MS + 1);
    await sendSaleAlerts(service(), running);
    expect(others.said()).toEqual([]);
    expect(await database.read((query) => query.selectFrom("notice").selectAll().execute())).toEqual([]);
  });

  it("say when a sale closes and is settled, and are forgotten once that is final", async () => {
    others.closesAtSeconds = time.now() / 1_000n + 62n * 60n;
    const { accountUuid, alerts } = await bidder();
    for (let passed = 0; passed < 4; passed++) await minute();
    expect(others.said()).toEqual([SaleAlert.CLOSES_IN_HOUR]);
    others.status = SaleStatus.SETTLED;
    await minute(2);
    expect(others.said()).toEqual([SaleAlert.CLOSES_IN_HOUR, SaleAlert.SETTLED]);
    await minute();
    expect((await alerts.listAlerts({})).alerts).toEqual([]);
    await alerts.stopAlerts({ token: others.lastToken() });
    const refused = clientOf(accountUuid).setAlerts({ saleUuid: others.saleUuid, reasons: ALL });
    await expect(refused).rejects.toMatchObject({ code: Code.FailedPrecondition });
    expect(others.said()).toHaveLength(2);
  });

  it("end by the token of any of them, without those that wait, and begin again when somebody asks", async () => {
    const { alerts, bid } = await bidder();
    await minute();
    bid(OUT);
    others.answersLost = true;
    await minute();
    const token = others.lastToken();
    others.answersLost = false;
    others.mails.clear();
    await clientOf(randomUUID()).stopAlerts({ token });
    await minute();
    expect(others.said()).toEqual([]);
    expect((await alerts.listAlerts({})).alerts).toEqual([]);
    await alerts.setAlerts({ saleUuid: others.saleUuid, reasons: [AlertReason.POSITION] });
    expect((await alerts.listAlerts({})).alerts).toMatchObject([
      { saleUuid: others.saleUuid, reasons: [AlertReason.POSITION] },
    ]);
    await alerts.stopAlerts({ token });
    await alerts.stopAlerts({ token });
    expect((await alerts.listAlerts({})).alerts).toEqual([]);
    for (const wrong of ["", token.slice(1), `${token.slice(0, -4)}AAAA`]) {
      await expect(alerts.stopAlerts({ token: wrong })).rejects.toMatchObject({ code: Code.NotFound });
    }
  });

  it("are deleted with the account, and nobody asks for one that is being deleted", async () => {
    const { accountUuid, alerts, bid } = await bidder();
    await minute();
    bid(OUT);
    time.advance(MINUTE_MS);
    await judgeSales(service(), running);
    await ofAuth().closeAccount({ accountUuid });
    const refused = alerts.setAlerts({ saleUuid: others.saleUuid, reasons: ALL });
    await expect(refused).rejects.toMatchObject({ code: Code.FailedPrecondition });
    await ofAuth().eraseAccount({ accountUuid });
    for (const table of ["alert_subscription", "notice"] as const) {
      expect(await database.read((query) => query.selectFrom(table).selectAll().execute())).toEqual([]);
    }
  });

  it("are deleted with the sale, and for bidders of it only", async () => {
    const { bid } = await bidder();
    const stranger = clientOf(randomUUID());
    const refused = stranger.setAlerts({ saleUuid: others.saleUuid, reasons: ALL });
    await expect(refused).rejects.toMatchObject({ code: Code.FailedPrecondition });
    await stranger.setAlerts({ saleUuid: others.saleUuid, reasons: [] });
    await minute();
    bid(OUT);
    time.advance(MINUTE_MS);
    await judgeSales(service(), running);
    const notices = () => database.read((query) => query.selectFrom("notice").select("notice").execute());
    expect(await notices()).toHaveLength(1);
    const elsewhere = await storeEntity(database);
    await database.write((transaction) => storeNotice(transaction, elsewhere.accountUuid, DECIDED, time.now()));
    await eraseSale(service(), others.saleUuid);
    expect(await notices()).toHaveLength(1);
    for (const table of ["alert_subscription", "alert_sale"] as const) {
      expect(await database.read((query) => query.selectFrom(table).selectAll().execute())).toEqual([]);
    }
  });

  it("go to auth once from processes in step, and from the next one if a process has ended before it was answered", async () => {
    const people = [await bidder(), await bidder()];
    await minute();
    for (const { bid } of people) bid(OUT);
    time.advance(MINUTE_MS);
    await judgeSales(service(), running);
    const asked: (string | undefined)[] = [];
    const waiting = Promise.withResolvers<never>();
    const sender = (answer: "at once" | "never") => {
      const given = service();
      const notifyAccount: typeof given.accounts.notifyAccount = (request) => {
        asked.push(request.noticeUuid);
        return answer === "never" ? waiting.promise : given.accounts.notifyAccount(request);
      };
      return { ...given, accounts: { ...given.accounts, notifyAccount } };
    };
    const ended = sendSaleAlerts(sender("never"), running);
    await expect.poll(() => asked.length).toBe(2);
    await Promise.all([sendSaleAlerts(sender("at once"), running), sendSaleAlerts(sender("at once"), running)]);
    expect(asked).toHaveLength(2);
    time.advance(MINUTE_MS);
    await Promise.all([sendSaleAlerts(sender("at once"), running), sendSaleAlerts(sender("at once"), running)]);
    expect(asked).toHaveLength(4);
    expect(new Set(asked).size).toBe(2);
    expect(others.said()).toEqual([SaleAlert.OUT, SaleAlert.OUT]);
    waiting.reject(new Error("the process has ended"));
    await expect(ended).rejects.toThrow();
  });

  it("hold up no other mails, however many there are", async () => {
    const { accountUuid, bid } = await bidder();
    await askToo(150);
    await minute();
    for (const wallet of others.outcomes.keys()) others.outcomes.set(wallet, OUT);
    bid(OUT);
    time.advance(MINUTE_MS);
    await judgeSales(service(), running);
    const waiting = await database.read((query) => query.selectFrom("notice").select("content").execute());
    expect(waiting).toHaveLength(151);
    await database.write((transaction) => storeNotice(transaction, accountUuid, DECIDED, time.now()));
    await sendNotices(service(), running);
    expect([...others.mails.values()].map(({ notice }) => notice.case)).toEqual(["setupDecided"]);
    await sendSaleAlerts(service(), running);
    expect(others.mails.size, "no burst").toBe(101);
    await sendSaleAlerts(service(), running);
    expect(others.mails.size).toBe(152);
  });

  it("hold up no mails about another sale, however many there are of one", async () => {
    const alertOf = (saleUuid: string, alert: SaleAlertName): Notice => {
      const mail = { kind: "sale_alert", alert, saleUuid, alertUuid: randomUUID(), saleName: "Harbour" } as const;
      return { ...mail, language: "en", untilMs: Number(time.now()) + MINUTE_MS };
    };
    const [settled, other] = [randomUUID(), randomUUID()];
    await database.write(async (transaction) => {
      const store = (notice: Notice) => storeNotice(transaction, randomUUID(), notice, time.now());
      for (let count = 0; count < 120; count++) await store(alertOf(settled, "settled"));
      time.advance(1);
      for (let count = 0; count < 2; count++) await store(alertOf(other, "closes_in_hour"));
    });
    await sendSaleAlerts(service(), running);
    const { SETTLED, CLOSES_IN_HOUR } = SaleAlert;
    const counted = (alert: SaleAlert) => others.said().filter((said) => said === alert).length;
    expect([counted(SETTLED), counted(CLOSES_IN_HOUR)], "no place of the batch stays empty").toEqual([98, 2]);
  });

  it("leave out wallets of another chain, which the commitments service would refuse with all", async () => {
    const [{ bid }, { uuid, accountUuid }] = [await bidder(), await storeEntity(database)];
    const solana = walletOfBytes(Buffer.alloc(32, 7));
    await database.write((transaction) => insertWallet(transaction, uuid, solana));
    await clientOf(accountUuid).setAlerts({ saleUuid: others.saleUuid, reasons: ALL });
    await minute();
    bid(OUT);
    await minute();
    expect(others.said()).toEqual([SaleAlert.OUT]);
  });

  it("of several sales are judged at once, none after a slow one", async () => {
    const { bid } = await bidder();
    await minute();
    const [first, slow] = [others.saleUuid, randomUUID()];
    others.saleUuid = slow;
    await bidder();
    others.saleUuid = first;
    bid(OUT);
    time.advance(MINUTE_MS);
    const given = service();
    const answered = Promise.withResolvers<void>();
    const getSale: typeof given.sales.getSale = async (request, options) => {
      if (request.saleUuid === slow) await answered.promise;
      return given.sales.getSale(request, options);
    };
    // The longest due comes first.
    await database.write((transaction) =>
      transaction.updateTable("alert_sale").set({ next_at_ms: 1n }).where("sale", "=", bytesOfHex(slow)).execute(),
    );
    const judged = judgeSales({ ...given, sales: { getSale } }, running);
    const waiting = () => database.read((query) => query.selectFrom("notice").select("notice").execute());
    await expect.poll(async () => (await waiting()).length, SOON).toBe(1);
    answered.resolve();
    await judged;
  });

  it("aren't judged by what somebody asked before, where a judging was stored while they asked anew", async () => {
    const { accountUuid, alerts } = await bidder([AlertReason.POSITION]);
    await minute();
    await alerts.setAlerts({ saleUuid: others.saleUuid, reasons: [AlertReason.SETTLED] });
    const read = async () => {
      const found = await database.read((query) => findSubscription(query, others.saleUuid, accountUuid));
      return found ?? expect.fail("nobody has asked");
    };
    const judgement = { alerts: [], known: new Map(), mailedAtMs: {}, isChanged: true };
    const judge = (subscription: AlertSubscription) =>
      database.write((transaction) => storeJudgement(transaction, others.saleUuid, subscription, judgement));
    const before = await read();
    expect(await judge(before)).toBe(true);
    const meanwhile = await read();
    const asked = { saleUuid: others.saleUuid, accountUuid, reasons: ["position"], language: "en" } as const;
    await database.write((transaction) => updateSubscription(transaction, before, asked, time.now()));
    expect(await judge(meanwhile)).toBe(false);
    expect(await read()).toMatchObject({ isNew: true });
  });

  it("are judged in pages", async () => {
    const { bid } = await bidder();
    await askToo(500);
    await minute();
    expect(others.calls).toEqual([500, 1]);
    bid(OUT);
    await minute();
    expect(others.said()).toEqual([SaleAlert.OUT]);
  });

  it("are judged by one process for as long as that takes, and then once a minute as before", async () => {
    const { bid } = await bidder();
    await askToo(500);
    await minute();
    others.calls.length = 0;
    bid(OUT);
    time.advance(MINUTE_MS);
    const slow = service();
    const getBidOutcomes: typeof slow.commitments.getBidOutcomes = async (request) => {
      const answer = await slow.commitments.getBidOutcomes(request);
      time.advance(50_000);
      await judgeSales(service(), running);
      return answer;
    };
    await judgeSales({ ...slow, commitments: { ...slow.commitments, getBidOutcomes } }, running);
    expect(others.calls).toEqual([500, 1]);
    await sendSaleAlerts(service(), running);
    expect(others.said()).toEqual([SaleAlert.OUT]);
    bid(IN);
    await minute();
    time.advance(60 * MINUTE_MS);
    await minute();
    await minute();
    bid(OUT);
    await minute();
    expect(others.said()).toEqual([SaleAlert.OUT, SaleAlert.OUT]);
  });

  it("aren't sent for a reason that the person has taken back meanwhile", async () => {
    const { alerts, bid } = await bidder();
    await minute();
    bid(OUT);
    time.advance(MINUTE_MS);
    await judgeSales(service(), running);
    await alerts.setAlerts({ saleUuid: others.saleUuid, reasons: [AlertReason.CLOSING, AlertReason.SETTLED] });
    await minute();
    expect(others.said()).toEqual([]);
  });

  it("about the settlement come after a fault, once, and those about the closing within ten minutes", async () => {
    others.closesAtSeconds = time.now() / 1_000n + 62n * 60n;
    await bidder();
    await minute();
    others.commitmentsAway = true;
    for (let passed = 0; passed < 4; passed++) await minute().catch(() => {});
    others.commitmentsAway = false;
    await minute();
    await minute();
    expect(others.said()).toEqual([SaleAlert.CLOSES_IN_HOUR]);
    others.commitmentsAway = true;
    await minute().catch(() => {});
    Object.assign(others, { commitmentsAway: false, status: SaleStatus.SETTLED });
    await minute();
    await minute();
    expect(others.said()).toEqual([SaleAlert.CLOSES_IN_HOUR, SaleAlert.SETTLED]);
  });

  /** Adds people who ask for the same as the one who has asked, faster than by calls. */
  const askToo = (people: number) =>
    database.write(async (transaction) => {
      const asked = await transaction.selectFrom("alert_subscription").selectAll().executeTakeFirstOrThrow();
      for (let number = 0; number < people; number++) {
        const entity = sampleEntity();
        const wallet = newWallet();
        others.outcomes.set(`0x${Buffer.from(wallet.bytes).toString("hex")}`, IN);
        await insertEntity(transaction, entity);
        await insertWallet(transaction, entity.uuid, wallet);
        const own = { account: bytesOfHex(entity.accountUuid), alert: bytesOfHex(randomUUID()) };
        await transaction
          .insertInto("alert_subscription")
          .values({ ...asked, ...own })
          .execute();
      }
    });
});
