import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Participant, type PermitDeployment, startPermitDeployment } from "../bench/permits/permit-deployment.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { startIndexerProcess } from "../support/processes/indexer-process.ts";
import { findProgram } from "../support/processes/program.ts";
import { shiftedClock } from "../support/processes/shifted-clock.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";

/** `TEST_LONG=1` tries a clock that is behind as well as one that is ahead. */
const SIGNS = process.env["TEST_LONG"] === "1" ? [1, -1] : [1];
/** Far beyond the bound of 30 s, and within what tokens between services bear. */
const FAR_MS = SIGNS.map((sign) => sign * 50_000);
/** Beyond the alert's bound, within that of readiness. */
const NEAR_MS = SIGNS.map((sign) => sign * 20_000);

describe.skipIf(findProgram("mariadbd") === undefined)("a process whose clock is wrong (mariadbd)", () => {
  let stack: AsyncDisposableStack;
  let deployment: PermitDeployment;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
    deployment = await startPermitDeployment(stack, mariaDb, 1);
  });
  afterAll(() => stack.disposeAsync());

  const startIndexer = async (commitmentsUrl: string, settings: Readonly<Record<string, string>> = {}) =>
    stack.adopt(await startIndexerProcess(commitmentsUrl, {}, settings), async ({ process }) => {
      await process.kill();
    });

  it.each(NEAR_MS)("issues permits, ready, at %d ms", async (ms) => {
    const entities = await deployment.start.entities(shiftedClock(ms));
    await expect.poll(() => readiness(entities.adminUrl)).toEqual({ status: 200, reasons: [] });
    expect(await clockDifference(entities.adminUrl)).toBeCloseTo(ms / 1_000, 0);
    const { result } = await entities.as("gateway").permits.issuePermit(participant(deployment));
    const issued = result.case === "issued" ? result.value.permit : undefined;
    // By the database's clock: ten minutes by this one's, which it has.
    const secondsLeft = Number(issued?.expiresAt) - Date.now() / 1_000;
    expect(secondsLeft).toBeGreaterThan(590);
    expect(secondsLeft).toBeLessThan(605);
  });

  it.each(FAR_MS)("isn't ready and says why at %d ms, and its callers get 503", async (ms) => {
    const entities = await deployment.start.entities(shiftedClock(ms));
    const reason = `this process's clock is 50 s ${ms > 0 ? "ahead of" : "behind"} that of the entities database`;
    await expect
      .poll(() => readiness(entities.adminUrl))
      .toEqual({ status: 503, reasons: [{ name: "clock", reason }] });
    await expect(entities.as("gateway").permits.issuePermit(participant(deployment))).rejects.toThrow(
      `[unavailable] no calls are taken now: ${reason}`,
    );
    const { auth, commitments } = deployment.services;
    const gateway = await deployment.start.gateway({
      AUTH_RPC_URL: auth.url,
      COMMITMENTS_URL: commitments.url,
      ENTITIES_URL: entities.url,
    });
    expect(await publicCalls(gateway.url, participant(deployment))).toEqual([503, 503, 503, 503]);
  });

  it.each(FAR_MS)("answers what its tokens are for at %d ms, where it can't know", async (ms) => {
    const folder = await temporaryFolder();
    stack.defer(folder.remove);
    const entities = await deployment.start.entities({
      MYSQL_URL: "",
      DATA_DIR: folder.path,
      ...shiftedClock(ms),
    });
    await expect.poll(() => readiness(entities.adminUrl)).toMatchObject({ status: 200 });
    // Its own database doesn't have the entity: auth has taken its token, and told it who asks.
    await expect(entities.as("gateway").permits.issuePermit(participant(deployment))).rejects.toThrow("[not_found]");
  });

  it.each(FAR_MS)("auth isn't ready at %d ms, and refuses as unavailable", async (ms) => {
    const auth = await deployment.start.auth(shiftedClock(ms));
    await expect.poll(() => readiness(auth.adminUrl)).toMatchObject({ status: 503, reasons: [{ name: "clock" }] });
    const { accessToken } = participant(deployment).access;
    await expect(auth.as("gateway").authorization.checkAccess({ accessTokens: [accessToken] })).rejects.toThrow(
      "[unavailable]",
    );
  });

  it.each(FAR_MS)("the public read answers at %d ms, of the gateway as of the commitments service", async (ms) => {
    const shifted = shiftedClock(ms);
    const commitments = await deployment.start.commitments(shifted);
    const { auth, commitments: right } = deployment.services;
    const AUTH_RPC_URL = auth.url;
    const gateways = [
      await deployment.start.gateway({ ...shifted, AUTH_RPC_URL, COMMITMENTS_URL: right.url }),
      await deployment.start.gateway({ AUTH_RPC_URL, COMMITMENTS_URL: commitments.url }),
      await deployment.start.gateway({ ...shifted, AUTH_RPC_URL, COMMITMENTS_URL: commitments.url }),
    ];
    for (const { adminUrl } of [commitments, ...gateways])
      await expect.poll(() => readiness(adminUrl)).toMatchObject({ status: 200 });
    const { saleUuid } = participant(deployment);
    for (const gateway of gateways) expect((await gateway.read(saleUuid)).status).toBe(200);
    for (const { adminUrl } of [commitments, ...gateways.slice(0, 1)])
      await expect.poll(() => clockDifference(adminUrl)).toBeCloseTo(ms / 1_000, 0);
    // The service says its database's time, so that nobody takes its fault for their own.
    const indexer = await startIndexer(commitments.url);
    expect(await clockDifference(indexer.adminUrl)).toBeCloseTo(0, 0);
    expect(JSON.stringify(await readiness(indexer.adminUrl))).not.toContain("clock");
  });

  it.each(FAR_MS)("the indexer compares with the commitments service, and isn't ready at %d ms", async (ms) => {
    const indexer = await startIndexer(deployment.services.commitments.url, shiftedClock(ms));
    await expect
      .poll(() => readiness(indexer.adminUrl))
      .toMatchObject({ status: 503, reasons: [{ name: "clock", reason: expect.stringContaining("50 s") }] });
    await expect(indexer.indexer.listChains({})).rejects.toThrow("[unavailable]");
  });

  it("is unavailable to its callers beyond a minute, where it has no other clock to know by", async () => {
    const folder = await temporaryFolder();
    stack.defer(folder.remove);
    const lost = { MYSQL_URL: "", DATA_DIR: folder.path, ...shiftedClock(90_000) };
    const entities = await deployment.start.entities(lost);
    await expect(entities.as("gateway").permits.issuePermit(participant(deployment))).rejects.toThrow("[unavailable]");
  });
});

function participant({ participants: [first] }: PermitDeployment): Participant {
  if (first === undefined) throw new Error("there is no participant");
  return first;
}

async function readiness(adminUrl: string) {
  const response = await fetch(`${adminUrl}/readyz`);
  const { reasons = [] } = await response.json();
  return { status: response.status, reasons };
}

async function clockDifference(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^tidemark_process_clock_difference_seconds\{.*\} (\S+)$/m.exec(text)?.[1]);
}

/** The statuses of a permit, a list, a check and limits, as an application asks for them. */
async function publicCalls(url: string, { access, saleUuid, entityUuid, wallet }: Participant): Promise<number[]> {
  const bid = { SaleUUID: saleUuid, EntityID: entityUuid, PurchasingWalletAddress: wallet };
  const calls = {
    "generate-purchase-permit": bid,
    "list-available-entities": { SaleUUID: saleUuid },
    "pre-purchase-check": bid,
    limits: { SaleUUID: saleUuid, WalletAddress: wallet },
  };
  const headers = { authorization: `Bearer ${access.accessToken}`, "content-type": "application/json" };
  const statuses: number[] = [];
  for (const [path, body] of Object.entries(calls)) {
    const response = await fetch(`${url}/svc/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    statuses.push(response.status);
    expect(await response.json()).toMatchObject({ code: "unavailable", message: expect.stringMatching(/./) });
  }
  return statuses;
}
