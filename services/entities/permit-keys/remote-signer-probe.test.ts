import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { freePort } from "../../../test/support/processes/free-port.ts";
import { remoteSignerProbe } from "./remote-signer-probe.ts";

const secret = new Uint8Array(32).fill(3);

async function check(url: string | undefined) {
  const findings = await runProbes([remoteSignerProbe(() => (url === undefined ? undefined : { url, secret }))]);
  return findings.map(({ level, text }) => `${level}: ${text}`);
}

it("asks for a signature that nobody can give, signed as any request is, and makes no key", async () => {
  const requests: unknown[] = [];
  let status = 404;
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, isSigned: headers["webhook-signature"]?.toString().startsWith("v1,") });
    request.resume();
    response.writeHead(status, { location: "/elsewhere" }).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/permits/`;
  expect(await check(url)).toEqual(["ok: answers"]);
  status = 401;
  expect(await check(url)).toEqual(["failed: refuses who asks (HTTP 401)"]);
  status = 302;
  expect(await check(url)).toEqual(["failed: answers with a redirect (HTTP 302), which isn't followed"]);
  status = 503;
  expect(await check(url)).toEqual(["warning: answers with HTTP 503"]);
  expect(new Set(requests.map((each) => JSON.stringify(each)))).toEqual(
    new Set([JSON.stringify({ method: "POST", url: "/permits/signatures", isSigned: true })]),
  );
});

it("fails where nobody listens, and says that none is used", async () => {
  expect(await check(`http://127.0.0.1:${await freePort()}/key-in-path`)).toEqual([
    expect.stringMatching(/^failed: (?!.*key-in-path).*(ECONNREFUSED|Connection refused)/),
  ]);
  // Deno sends it, without user name and password.
  expect(await check("http://me:hunter2@127.0.0.1/")).toEqual([
    expect.stringMatching(/^failed: (?!.*hunter2)(the request can't be sent|.*Connection refused)/),
  ]);
  expect(await check(undefined)).toEqual(["ok: isn't used, as PERMIT_SIGNER_URL isn't set"]);
});
