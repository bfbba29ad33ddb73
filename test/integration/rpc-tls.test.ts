import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type DetailedPeerCertificate, type SecureVersion } from "node:tls";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { PageBrowser } from "../../gateway/testing/page-browser.ts";
import { Health, HealthCheckResponse_ServingStatus } from "../../proto/gen/grpc/health/v1/health_pb.ts";
import { createFitClient } from "../support/applications/fit-client.ts";
import { nextCode } from "../support/processes/mail-folder.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { selfSignedCertificate, type TlsCertificate } from "../support/processes/tls-certificate.ts";
import { startTokenDeployment, type TokenDeployment } from "../support/processes/token-deployment.ts";
import { POLL_TIMEOUT_MS, SOON } from "../support/repository/polling.ts";
import { apply, draftSale, record } from "../support/sales/sale-messages.ts";

describe("services with TLS on their RPC ports", () => {
  let folder: TemporaryFolder;
  let first: TlsCertificate;
  let second: TlsCertificate;
  let ca: string;
  let deployment: TokenDeployment;
  beforeAll(async () => {
    folder = await temporaryFolder();
    [first, second] = [await selfSignedCertificate("localhost"), await selfSignedCertificate("localhost")];
    ca = first.cert + second.cert;
    await put("cert", first.cert);
    await put("key", first.key);
    await put("ca", ca);
    const env = { RPC_TLS_CERT_FILE: fileOf("cert"), RPC_TLS_KEY_FILE: fileOf("key"), RPC_CA_FILE: fileOf("ca") };
    // Whoever signs in may create a sale.
    const open = { FOUNDERS: "open" };
    deployment = await startTokenDeployment({ scheme: "https", env: { ...env, ...open }, ca });
  });
  afterAll(async () => {
    await deployment?.stop();
    await folder?.remove();
  });

  const fileOf = (name: string) => join(folder.path, `${name}.pem`);
  const put = (name: string, content: string) => writeFile(fileOf(name), content);

  /** The certificate that a service shows to a new connection. */
  async function certificateOf(port: number, version?: SecureVersion): Promise<string> {
    const limits = version === undefined ? {} : { minVersion: version, maxVersion: version };
    const socket = connect({ host: "localhost", port, ca, ...limits });
    try {
      await once(socket, "secureConnect");
      const { raw } = socket.getPeerCertificate(true) as DetailedPeerCertificate;
      return Buffer.from(raw).toString("base64");
    } finally {
      socket.destroy();
    }
  }

  const isOf = (certificate: string, { cert }: TlsCertificate) => cert.replaceAll("\n", "").includes(certificate);

  async function countShown(saleUuid: string): Promise<number> {
    const answer = await deployment.gateway.read(saleUuid);
    return answer.ok ? (await answer.json()).UniqueCommitmentCount : Number.NaN;
  }

  it("call each other, before and after their certificate was renewed", async () => {
    const { commitments, auth, indexer } = deployment.as("operator");
    const saleUuid = await draftSale(commitments);
    await createFitClient(auth, saleUuid);
    await commitments.sales.openSale({ saleUuid });
    await apply(commitments, saleUuid, { upserts: [record(1)] });
    await expect.poll(() => countShown(saleUuid), SOON).toBe(1);
    await expect.poll(() => deployment.indexerIsReady(), SOON).toBe(true);
    expect((await indexer.listChains({})).chains).toEqual([]);

    // Halfway through a renewal.
    await put("cert", second.cert);
    await deployment.loggedByAll(/the renewed RPC certificate can't be used/);
    for (const port of deployment.rpcPorts) expect(isOf(await certificateOf(port), first)).toBe(true);

    await put("key", second.key);
    for (const port of deployment.rpcPorts) {
      await expect.poll(async () => isOf(await certificateOf(port), second), SOON).toBe(true);
    }
    await apply(commitments, saleUuid, { upserts: [record(2)] });
    await expect.poll(() => countShown(saleUuid), SOON).toBe(2);
    expect(await certificateOf(deployment.rpcPorts[0] ?? 0, "TLSv1.2")).not.toBe("");
  });

  it("serve the founder's pages, which call all of them", async () => {
    const { gateway, mailFolder } = deployment;
    const browser = new PageBrowser(gateway.origin);
    const email = "founder@example.com";
    const asked = await browser.open("/dashboard/new-sale");
    const sent = await browser.send(asked, { action: "/sign-in", fields: { email } });
    const code = await nextCode(mailFolder, email);
    const form = await browser.send(sent, { action: "/sign-in/code", fields: { code } });
    // What the indexer has answered: it is reached.
    expect(form.html).toContain("has configured no chain yet");
    // What the commitments service has.
    expect((await browser.open(`/dashboard/sales/${randomUUID()}`)).html).toContain("There is no such sale");
  });

  it("speak HTTP/2 by ALPN", async () => {
    const transport = createGrpcTransport({ baseUrl: deployment.commitmentsUrl, nodeOptions: { ca } });
    const { status } = await createClient(Health, transport).check({});
    expect(status).toBe(HealthCheckResponse_ServingStatus.SERVING);
  });

  it.each([
    ["a client that doesn't trust them", "https:", undefined],
    ["a client without TLS", "http:", undefined],
  ])("aren't reached by %s", async (_, protocol, trusted) => {
    const baseUrl = deployment.commitmentsUrl.replace("https:", protocol);
    const transport = createRpcTransport({ baseUrl, ca: trusted, defaultTimeoutMs: POLL_TIMEOUT_MS });
    const answer = createClient(Health, transport).check({});
    await expect(answer).rejects.toBeInstanceOf(ConnectError);
  });

  it("are reached at an address by a client that knows the name in their certificates", async () => {
    const baseUrl = deployment.commitmentsUrl.replace("localhost", "127.0.0.1");
    const check = (servername: string) => {
      const transport = createRpcTransport({ baseUrl, servername, ca, defaultTimeoutMs: POLL_TIMEOUT_MS });
      return createClient(Health, transport).check({});
    };
    expect(baseUrl).toContain("https://127.0.0.1:");
    expect((await check("localhost")).status).toBe(HealthCheckResponse_ServingStatus.SERVING);
    await expect(check("other.example")).rejects.toThrow(/altname|certificate/i);
  });

  it("refuse TLS 1.1", async () => {
    await expect(certificateOf(deployment.rpcPorts[0] ?? 0, "TLSv1.1")).rejects.toThrow();
  });
});
