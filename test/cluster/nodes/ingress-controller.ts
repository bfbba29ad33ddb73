import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TestAuthority } from "../../support/processes/tls-certificate.ts";
import type { CaseNamespace } from "./case-namespace.ts";
import { PUBLIC_HOST } from "./distributed-release.ts";
import { HostFront } from "./host-front.ts";
import { HOST } from "./network.ts";

const OBJECTS = "test/cluster/nodes/ingress-controller.yaml";
const PORTS = { plain: 8000, secure: 8443 } as const;

/** Headers of a client that is no proxy and names another's address. */
const CLAIMS = { "x-forwarded-for": "203.0.113.7" };

/** The address of the clients of a front. */
export const CLIENT_ADDRESS = HOST;

/** Traefik in a pod, which acts on the Ingresses and HTTPRoutes of the cluster, and a certificate for the public host. */
export class IngressController {
  /** Address and port that serve the public host by TLS. */
  readonly secure: string;
  /** The same without TLS. */
  readonly plain: string;
  readonly #namespace: CaseNamespace;
  readonly #authority: string;

  private constructor(namespace: CaseNamespace, address: string, authority: string) {
    this.#namespace = namespace;
    this.#authority = authority;
    this.secure = `${address}:${PORTS.secure}`;
    this.plain = `${address}:${PORTS.plain}`;
  }

  /** Starts it, and makes the Secret of the certificate in a namespace. @param secret name of that Secret */
  static async start(namespace: CaseNamespace, secret: string): Promise<IngressController> {
    const authority = await createCertificate(namespace, secret);
    await namespace.run(`kubectl apply --filename ${OBJECTS}
      kubectl --namespace traefik rollout status deployment/traefik --timeout=8m`);
    const { items } = await namespace.api.get("/api/v1/namespaces/traefik/pods");
    return new IngressController(namespace, items[0].status.podIP, authority);
  }

  /** Plain HTTP for clients of tests, which asks it by TLS, from `CLIENT_ADDRESS` and with a false claim about that. */
  openFront(): Promise<HostFront> {
    const [target, authority] = [this.secure, this.#authority];
    return HostFront.toSecureSite({ target, host: PUBLIC_HOST, authority, from: CLIENT_ADDRESS, claims: CLAIMS });
  }

  /** Makes a Gateway, to which HTTPRoutes of the namespace attach. @param secret that of the certificate */
  async createGateway(gateway: string, secret: string): Promise<void> {
    const { api, name: namespace } = this.#namespace;
    const listener = {
      name: "secure",
      protocol: "HTTPS",
      port: PORTS.secure,
      tls: { certificateRefs: [{ name: secret }] },
    };
    await api.create(`/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/gateways`, {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "Gateway",
      metadata: { name: gateway },
      spec: { gatewayClassName: "traefik", listeners: [listener] },
    });
  }

  /** Deletes it with its namespace. */
  async stop(): Promise<void> {
    await this.#namespace.run(`kubectl delete --filename ${OBJECTS} --timeout=4m`);
  }
}

/** @returns PEM of the authority */
async function createCertificate(namespace: CaseNamespace, secret: string): Promise<string> {
  const issuer = await TestAuthority.create();
  try {
    const { cert, key, authority } = await issuer.issue(PUBLIC_HOST);
    const file = (name: string) => join(namespace.folder.path, name);
    await writeFile(file("tls.crt"), cert);
    await writeFile(file("tls.key"), key);
    await namespace.run(`kubectl create secret tls ${secret} --cert=${file("tls.crt")} --key=${file("tls.key")}`);
    return authority;
  } finally {
    await issuer.remove();
  }
}
