import { expect, it } from "vitest";
import { CommitmentService } from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { freePort } from "../../../../test/support/processes/free-port.ts";
import { selfSignedCertificate } from "../../../../test/support/processes/tls-certificate.ts";
import { serveHealth } from "../../rpc/server/health.ts";
import { credentials, startTestServer } from "../../rpc/testing/test-server.ts";
import { ownCertificateProbe } from "../own-certificate-probe.ts";
import { runProbes } from "../run-probes.ts";
import { type ServiceAddress, type ServiceUse, serviceProbe } from "./service-probe.ts";

const { getRevisions, acquireSaleLease } = CommitmentService.method;
const USE = { name: "commitments", variable: "COMMITMENTS_URL" };

async function check(
  address: Partial<ServiceAddress> & { readonly urls: readonly string[] },
  use?: Partial<ServiceUse>,
) {
  const read = () => ({ caller: credentials, ca: undefined, ...address });
  const findings = await runProbes([serviceProbe({ ...USE, read, method: getRevisions, ...use })]);
  return findings.map(({ level, subject, text }) => `${level} ${subject}: ${text}`);
}

const CLOCK = "ok commitments service: this process's clock agrees with that of the commitments service";
const TOKEN = "ok commitments service: accepts this process's caller token";

it("tries readiness, clock and token, and executes nothing", async () => {
  let calls = 0;
  const server = await startTestServer({
    getRevisions: () => {
      calls += 1;
      return {};
    },
  });
  expect(await check({ urls: [server.url] })).toEqual([CLOCK, TOKEN]);
  expect(calls).toBe(0);
});

it("names a refused token, and a service that takes the process for another caller", async () => {
  const { url } = await startTestServer({});
  const stranger = { ...credentials, key: new Uint8Array(32).fill(8) };
  expect((await check({ urls: [url], caller: stranger })).at(-1)).toMatch(
    /^failed commitments service: the service refuses this process's caller token: /,
  );
  expect((await check({ urls: [url] }, { method: acquireSaleLease })).at(-1)).toMatch(
    /^failed commitments service: the service takes this process for another caller: .*caller gateway may not call/,
  );
});

it("takes a service that isn't there, or isn't ready, for one that may come, and names each of several", async () => {
  const unready = await startTestServer(
    {},
    { routes: (router) => serveHealth(router, { lifecycle: { isReady: () => false }, services: [] }) },
  );
  const port = await freePort();
  expect(await check({ urls: [`http://127.0.0.1:${port}`, unready.url] })).toEqual([
    expect.stringMatching(`^warning commitments service 127.0.0.1:${port}: the connection couldn't be opened: `),
    `warning commitments service ${new URL(unready.url).host}: answers, and isn't ready`,
  ]);
});

it("compares the clocks", async () => {
  const { url } = await startTestServer(
    {},
    {
      routes: (router) =>
        serveHealth(router, {
          lifecycle: { isReady: () => true },
          services: [],
          now: () => BigInt(Date.now()) - 3_600_000n,
        }),
    },
  );
  expect(await check({ urls: [url] })).toContainEqual(
    expect.stringMatching(/^failed commitments service: this process's clock is 3\d{3} s ahead of/),
  );
});

it("tells the end of certificates, and which isn't trusted", async () => {
  const pair = await selfSignedCertificate("localhost");
  const { port } = await startTestServer({}, { tls: { read: () => pair } });
  const urls = [`https://localhost:${port}`];
  const end = expect.stringMatching(/^(ok|warning) commitments service: the certificate ends in /);
  expect(await check({ urls, ca: pair.cert })).toEqual([end, CLOCK, TOKEN]);
  expect(await check({ urls })).toEqual([
    expect.stringMatching(/^failed commitments service: .*nobody whom this process trusts has signed/),
  ]);
  expect(await runProbes([ownCertificateProbe(() => ({ read: () => pair }))])).toMatchObject([
    { subject: "own certificate", text: expect.stringContaining("the certificate ends in ") },
  ]);
});

it("says that a service isn't used", async () => {
  expect(await runProbes([serviceProbe({ ...USE, read: () => undefined })])).toEqual([
    { level: "ok", subject: "commitments service", text: "isn't used, as COMMITMENTS_URL isn't set" },
  ]);
});
