import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { sql } from "kysely";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { COMMITMENTS_STREAM } from "../../common/internal-api/commitment-subjects.ts";
import { natsConfig } from "../../common/platform/bus/config.ts";
import { openBus } from "../../common/platform/bus/open-bus.ts";
import { Env } from "../../common/platform/config/env.ts";
import { mysqlOptions } from "../../common/platform/db/mysql/mysql-options.ts";
import { openMysql } from "../../common/platform/db/mysql/open-mysql.ts";
import { urlJwks } from "../../common/platform/jwt/jwks-source.ts";
import { createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { captureLog } from "../../common/platform/testing/log-capture.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { findMariaDbProgram, type MariaDb, startMariaDb } from "../support/databases/mariadb.ts";
import { inheritedEnvironment } from "../support/processes/child-process.ts";
import { startNats } from "../support/processes/nats.ts";
import { startSmtpSink } from "../support/processes/smtp-sink.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { type IssuedCertificate, issuedCertificate } from "../support/processes/tls-certificate.ts";
import { startTlsListener } from "../support/processes/tls-listener.ts";
import { POLL_TIMEOUT_MS, SOON } from "../support/repository/polling.ts";

const modules = (path: string) => JSON.stringify(new URL(`../../${path}`, import.meta.url).href);

/** Clients that trust the authorities of a setting. Each connects to `localhost`, and fails in any case. */
const BY_SETTING: Readonly<Record<string, (port: number, ca: string) => Promise<unknown>>> = {
  "RPCs (RPC_CA)": (port, ca) => {
    const transport = createRpcTransport({
      baseUrl: `https://localhost:${port}`,
      ca,
      defaultTimeoutMs: POLL_TIMEOUT_MS,
    });
    return createClient(SaleService, transport).createSale({});
  },
  "a JWKS (CALLER_TOKEN_CA)": (port, ca) => urlJwks(`https://localhost:${port}/jwks`, { ca })(),
};

/** Script that sends a mail. */
const mailScript = (url: string) => `
  import { openSmtpMailer } from ${modules("services/auth/mail/smtp-mailer.ts")};
  import { createLogger } from ${modules("common/platform/log/log.ts")};
  const logger = createLogger({ service: "test", level: "silent" });
  const from = { name: "", address: "from@sale.example" };
  const mailer = await openSmtpMailer({ url: "${url}", from, logger });
  await mailer.send({ to: "to@sale.example", subject: "test", text: "test" }).catch(() => {});
  await mailer.close();`;

/** Scripts of clients that trust the authorities of the runtime. */
const BY_RUNTIME: Readonly<Record<string, (port: number) => string>> = {
  "mails (SMTP_URL)": (port) => mailScript(`smtps://localhost:${port}`),
  "nodes of chains (CHAINS)": (port) => `
    import { JsonRpcUrl } from ${modules("common/chains/nodes/json-rpc-url.ts")};
    const limits = { requestTimeoutMs: ${POLL_TIMEOUT_MS}, maxAnswerBytes: 1000 };
    const url = new JsonRpcUrl("https://localhost:${port}/", limits);
    await url.post("{}", new AbortController().signal).catch(() => {});`,
  "heads of chains (webSocketUrl of CHAINS)": (port) => `
    import { watchHeads } from ${modules("common/chains/evm/watch-heads.ts")};
    const ended = new AbortController();
    globalThis.WebSocket = class extends WebSocket {
      constructor(url) {
        super(url);
        this.addEventListener("close", () => ended.abort());
      }
    };
    await watchHeads("wss://localhost:${port}/", () => {}, ended.signal);`,
  "traces (OTEL_EXPORTER_OTLP_ENDPOINT)": (port) => `
    import { Env } from ${modules("common/platform/config/env.ts")};
    import { createOtlpTracer } from ${modules("common/platform/tracing/otlp/otlp-tracer.ts")};
    import { tracingConfig } from ${modules("common/platform/tracing/otlp/tracing-config.ts")};
    const OTEL_EXPORTER_OTLP_ENDPOINT = "https://localhost:${port}";
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TIMEOUT: "1000" };
    const tracer = createOtlpTracer(tracingConfig(new Env(settings), "test"), () => {});
    tracer.start("a span", undefined, {}).end();
    await tracer.close();`,
};

const OWN_NAME = "localhost";
const NAMES = [OWN_NAME, "another.example"];

describe.each(NAMES)("a certificate that a trusted authority has given to %s", (name) => {
  const isAccepted = name === OWN_NAME;
  let certificate: IssuedCertificate;
  beforeAll(async () => {
    certificate = await issuedCertificate(name);
  });

  const listen = async (greeting = "") => {
    const listener = await startTlsListener(certificate, greeting);
    onTestFinished(() => listener.close());
    return listener;
  };

  it.each(Object.keys(BY_SETTING))(`is ${isAccepted ? "accepted" : "refused"} for %s`, async (client) => {
    const { port, received } = await listen();
    await expect(BY_SETTING[client]?.(port, certificate.authority)).rejects.toThrow();
    expect(received() !== "").toBe(isAccepted);
  });

  /** Runs a script in a process whose runtime trusts the authority. */
  async function runScript(script: string): Promise<void> {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const file = join(folder.path, "ca.pem");
    await writeFile(file, certificate.authority);
    const runtime = process.versions["deno"] === undefined ? ["--input-type=module", "--eval"] : ["eval", "--ext=ts"];
    const env = { ...inheritedEnvironment(), NODE_EXTRA_CA_CERTS: file, DENO_CERT: file };
    await promisify(execFile)(process.execPath, [...runtime, script], { env });
  }

  for (const [client, script] of Object.entries(BY_RUNTIME)) {
    it(`is ${isAccepted ? "accepted" : "refused"} for ${client}`, async () => {
      const { port, received } = await listen(client.startsWith("mails") ? "220 ready\r\n" : "");
      await runScript(script(port));
      expect(received() !== "").toBe(isAccepted);
    });
  }

  it(`is ${isAccepted ? "accepted" : "refused"} for mails, after STARTTLS`, async () => {
    const sink = await startSmtpSink({ hideSTARTTLS: false, cert: certificate.cert, key: certificate.key });
    onTestFinished(() => sink.stop());
    await runScript(mailScript(`smtp://localhost:${sink.port}`));
    expect(sink.mails).toHaveLength(isAccepted ? 1 : 0);
  });

  it(`is ${isAccepted ? "accepted" : "refused"} for NATS (NATS_CA)`, async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const [cert, key] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
    await writeFile(cert, certificate.cert);
    await writeFile(key, certificate.key, { mode: 0o600 });
    const server = await startNats(`tls: { cert_file: "${cert}", key_file: "${key}" }`);
    onTestFinished(() => server.stop());
    const { port } = new URL(server.url);
    const nats = natsConfig(new Env({ NATS_URL: `tls://${OWN_NAME}:${port}`, NATS_CA: certificate.authority }));
    const { logger, lines } = captureLog();
    const bus = await openBus({ nats, stream: COMMITMENTS_STREAM, name: "test", logger, registry: new Registry() });
    onTestFinished(() => bus.close(AbortSignal.abort()));
    const outcome = () =>
      bus.isConnected() ? "connected" : lines.find(({ msg }) => msg === "NATS can't be reached")?.["msg"];
    await expect.poll(outcome, SOON).toBe(isAccepted ? "connected" : "NATS can't be reached");
  });
});

/** It has a server of its own, so that these tests run on Deno, too. */
const withoutMariaDb = findMariaDbProgram("mariadbd") === undefined;

describe.skipIf(withoutMariaDb).each(NAMES)("the certificate of a database, for %s", (name) => {
  const isAccepted = name === OWN_NAME;
  let certificate: IssuedCertificate;
  let mariaDb: MariaDb;
  beforeAll(async () => {
    certificate = await issuedCertificate(name);
    mariaDb = await startMariaDb({ tls: certificate });
  });
  afterAll(() => mariaDb?.stop());

  async function connectWith(parameters: string, variables: Readonly<Record<string, string>>): Promise<unknown> {
    const url = `mysql://root@${OWN_NAME}:${mariaDb.port}/mysql${parameters}`;
    const options = mysqlOptions(new Env({ MYSQL_URL: url, ...variables }));
    if (options === undefined) throw new Error("there are no options");
    const database = openMysql(options);
    try {
      const { rows } = await sql<{ Value: string }>`show session status like 'Ssl_version'`.execute(database.query);
      return rows[0]?.Value;
    } finally {
      await database.close();
    }
  }

  it(`is ${isAccepted ? "accepted" : "refused"} with MYSQL_CA`, async () => {
    const connecting = connectWith("", { MYSQL_CA: certificate.authority });
    if (isAccepted) expect(await connecting).toMatch(/^TLSv1\.[23]$/);
    else await expect(connecting).rejects.toThrow();
  });

  it("is accepted with ssl-mode=VERIFY_CA", async () => {
    expect(await connectWith("?ssl-mode=VERIFY_CA", { MYSQL_CA: certificate.authority })).toMatch(/^TLSv1\.[23]$/);
  });

  it("is refused where its authority isn't trusted", async () => {
    const { authority } = await issuedCertificate(name);
    await expect(connectWith("", { MYSQL_CA: authority })).rejects.toThrow();
    await expect(connectWith("?ssl-mode=VERIFY_CA", { MYSQL_CA: authority })).rejects.toThrow();
    await expect(connectWith("?ssl-mode=VERIFY_IDENTITY", {})).rejects.toThrow();
  });
});
