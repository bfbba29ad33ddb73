import { type RunningProcess, startService } from "./child-process.ts";

const READY = /^\{.*"msg":"gateway listens".*$/;

/** A gateway that runs as a process of its own. */
export interface GatewayProcess {
  readonly process: RunningProcess;
  readonly port: number;
  readonly url: string;
  /** URL of its metrics. */
  readonly adminUrl: string;
  /** A metric's present value; all that have `label` added up, or else all. @param label such as `method="GetRevisions"` */
  metric(name: string, label?: string): Promise<number>;
  /** `POST /svc/v1/public/read-commitment-data` */
  read(saleUuid: string): Promise<Response>;
  /** `GET /svc/v1/public/sales/{uuid}/commitment-data` */
  get(saleUuid: string): Promise<Response>;
}

/**
 * Starts `gateway/main.ts` on free ports; `env` says where the commitments service is and as whom to call it.
 *
 * @param root the folder of another version of the repository
 */
export async function startGatewayProcess(
  env: Readonly<Record<string, string>>,
  root?: string,
): Promise<GatewayProcess> {
  const process = await startService({
    main: "gateway/main.ts",
    cwd: root,
    env: { GATEWAY_PORT: "0", ADMIN_PORT: "0", ...env },
    ready: READY,
  });
  const [line] = await process.waitForLine(READY);
  const { port, adminPort } = JSON.parse(line);
  const url = `http://127.0.0.1:${port}`;
  const base = `${url}/svc/v1/public`;
  return {
    process,
    port,
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    metric: async (name, label = "") => {
      const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
      const values = text.matchAll(new RegExp(`^${name}(?:\\{.*${label}.*\\})? (\\S+)$`, "gm"));
      return Array.from(values, ([, value]) => Number(value)).reduce((sum, value) => sum + value, 0);
    },
    read: (saleUuid) =>
      fetch(`${base}/read-commitment-data`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ SaleUUID: saleUuid }),
      }),
    get: (saleUuid) => fetch(`${base}/sales/${saleUuid}/commitment-data`),
  };
}
