import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type CommitmentData,
  follow,
  readCommitmentData,
  readPosition,
  readSale,
  type SaleFacts,
  type Server,
  type Snapshot,
} from "../../client/index.ts";
import { fakeFetch, json } from "../../client/testing/fake-fetch.ts";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { itOnNode } from "../../common/platform/testing/it-on-node.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { runShell } from "../support/processes/shell.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { codeBlocks } from "../support/repository/markdown.ts";
import { REPOSITORY_ROOT, readRepository } from "../support/repository/repository.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const DOCUMENTED_SALE = "11111111-1111-4111-8111-111111111111";
const [followShown = "", signInShown = ""] = codeBlocks(readRepository("docs/client.md"), "js").map(({ code }) => code);

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
  const modules = join(folder.path, "node_modules/tidemark-client");
  await mkdir(modules, { recursive: true });
  // Node strips no types below node_modules, so the package only names the source.
  const index = pathToFileURL(join(REPOSITORY_ROOT, "client/index.ts"));
  await writeFile(join(modules, "package.json"), '{"type":"module","exports":"./index.js"}');
  await writeFile(join(modules, "index.js"), `export * from "${index}";`);
});
afterAll(() => folder?.remove());

describe("the client, with a gateway", () => {
  const key = generateCallerKey();
  let service: CommitmentsProcess;
  let gateway: GatewayProcess;
  let server: Server;
  let saleUuid: string;
  beforeAll(async () => {
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { gateway: key.text } });
    const env = {
      COMMITMENTS_URL: service.url,
      CALLER_NAME: "gateway",
      CALLER_KEY: key.text,
      CACHE_MAX_STALE: "250ms",
    };
    gateway = await startGatewayProcess(env);
    server = { url: gateway.url };
    saleUuid = await openedSale(service);
    await apply(service, saleUuid, { upserts: [record(1), record(2)] });
  });
  afterAll(async () => {
    await gateway?.process.kill();
    await service?.process.kill();
  });

  /** Follows until the sale has a number of commitments. @returns the last snapshot */
  async function followUntil(count: number, options: { after?: Snapshot; server?: Server; onFirst?: () => void } = {}) {
    const controller = new AbortController();
    const seen: Snapshot[] = [];
    await follow(options.server ?? server, saleUuid, {
      signal: controller.signal,
      pollMs: 20,
      ...(options.after && { after: options.after }),
      onData: (snapshot) => {
        if (seen.push(snapshot) === 1) options.onFirst?.();
        if (snapshot.data.UniqueCommitmentCount === count) controller.abort();
      },
    });
    return seen.at(-1) as Snapshot;
  }
  const current = async (): Promise<CommitmentData> => (await gateway.read(saleUuid)).json();

  it("reads, follows, and goes on after what it had", async () => {
    expect((await readCommitmentData(server, saleUuid)).UniqueCommitmentCount).toBe(2);
    const onFirst = () => void apply(service, saleUuid, { upserts: [record(3), record(4)] });
    const last = await followUntil(4, { onFirst });
    await expect.poll(current).toEqual(last.data);
    await apply(service, saleUuid, { upserts: [record(5)] });
    const next = await followUntil(5, { after: last });
    await expect.poll(current).toEqual(next.data);
  });

  it("polls where a proxy lets no stream through, with the IDs that streams have", async () => {
    const throughProxy: typeof fetch = (url, init) =>
      String(url).endsWith("/stream") ? Promise.resolve(new Response("", { status: 502 })) : fetch(url, init);
    const onFirst = () => void apply(service, saleUuid, { upserts: [record(6)] });
    const { UniqueCommitmentCount } = await current();
    const last = await followUntil(UniqueCommitmentCount + 1, { server: { ...server, fetch: throughProxy }, onFirst });
    expect(last.id).toMatch(/^[0-9a-f]{16}-\d+$/);
    await expect.poll(current).toEqual(last.data);
  });

  it("reads what the sale is, as the stream says it, and what a wallet has committed", async () => {
    const { AsOf: _, BehindSeconds, Fault, ...facts } = await readSale(server, saleUuid);
    expect([BehindSeconds, Fault]).toEqual([0, ""]);
    const leaving = new AbortController();
    const { promise, resolve } = Promise.withResolvers<SaleFacts>();
    const followed = follow(server, saleUuid, { signal: leaving.signal, onData: () => {}, onSale: resolve });
    expect(await promise).toEqual(facts);
    leaving.abort();
    await followed;
    const [newest] = (await current()).Commitments;
    const Wallet = newest?.Amounts[0]?.Wallet ?? "";
    const position = await readPosition(server, { SaleUUID: saleUuid, Wallet });
    expect(position).toMatchObject({ Wallet, Commitments: expect.arrayContaining([expect.objectContaining(newest)]) });
    expect(position.Commitments[0]?.Counted).toBe(true);
  });

  it("says that there is no such sale", async () => {
    const expected = { name: "TidemarkError", code: "not_found", status: 404 };
    await expect(readCommitmentData(server, DOCUMENTED_SALE)).rejects.toMatchObject(expected);
    await expect(readSale(server, DOCUMENTED_SALE)).rejects.toMatchObject(expected);
    await expect(follow(server, DOCUMENTED_SALE, { onData: () => {} })).rejects.toMatchObject(expected);
  });

  it("does what docs/client.md shows first", async () => {
    const shown = followShown.replace("http://127.0.0.1:8080", gateway.url).replace(DOCUMENTED_SALE, saleUuid);
    await writeFile(join(folder.path, "follow.mjs"), shown);
    const { TotalCommitmentAmount: total, UniqueCommitmentCount: count } = await current();
    const printed = await runShell(`node '${join(folder.path, "follow.mjs")}'`);
    expect(printed).toBe(`${total} until now\n${total} in ${count} commitments\n`);
  });
});

describe("the application of docs/client.md", () => {
  const itImports = itOnNode("it imports no TypeScript for a package that a test has made");
  itImports("signs a user in, and gets a permit or the reason against it", async () => {
    const path = join(folder.path, "application.mjs");
    await writeFile(path, signInShown);
    const { signIn, comeBack, permitFor } = await import(/* @vite-ignore */ path);
    const refusal = { code: "failed_precondition", message: "", details: { FailureReason: "wallet-risk" } };
    const ended = { code: "unauthenticated", message: "", details: {} };
    const profile = json({ EntityID: "e" });
    const { fetch, requests } = fakeFetch(
      ...[json({ access_token: "a", refresh_token: "r" }), profile, json({ Signature: "0x" })],
      ...[profile, json(refusal, 400)],
      ...[json(ended, 401), json({ access_token: "b", refresh_token: "s" }), profile, json({ Signature: "0x1" })],
      ...[json(ended, 401), json({ access_token: "c", refresh_token: "t" }), json(ended, 401)],
    );
    vi.stubGlobal("fetch", fetch);
    const session: Record<string, unknown> = {};
    const url = new URL(await signIn(session));
    const back = `/oauth/callback?code=c&state=${url.searchParams.get("state")}&iss=http://localhost:8080`;
    await expect(comeBack({}, back)).rejects.toThrow("begun");
    await comeBack(session, back);
    expect(await permitFor(session, DOCUMENTED_SALE, "0x1")).toEqual({ Signature: "0x" });
    expect(await permitFor(session, DOCUMENTED_SALE, "0x1")).toEqual({ reason: "wallet-risk" });
    expect(await permitFor(session, DOCUMENTED_SALE, "0x1")).toEqual({ Signature: "0x1" });
    expect(session).toEqual({ tokens: { access_token: "b", refresh_token: "s" } });
    expect(await permitFor(session, DOCUMENTED_SALE, "0x1")).toEqual({ reason: "unauthenticated" });
    expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual([
      ...[null, "Bearer a", "Bearer a", "Bearer a", "Bearer a"],
      ...["Bearer a", null, "Bearer b", "Bearer b"],
      ...["Bearer b", null, "Bearer c"],
    ]);
    vi.unstubAllGlobals();
  });
});
