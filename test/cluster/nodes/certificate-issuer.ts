import { isDeepStrictEqual } from "node:util";
import { TestAuthority } from "../../support/processes/tls-certificate.ts";
import type { KubernetesObject } from "../../support/repository/chart.ts";
import type { CaseNamespace } from "./case-namespace.ts";

/** The issuer in docs/kubernetes.md. */
const ISSUER = { kind: "ClusterIssuer", name: "internal" };

/**
 * Issues what the Certificates of a namespace ask for, as cert-manager with an issuer of its own authority does: into a Secret of type
 * kubernetes.io/tls, with the authority. It is a stand-in, which never renews by itself.
 */
export class CertificateIssuer {
  readonly #namespace: CaseNamespace;
  readonly #authority: TestAuthority;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  private constructor(namespace: CaseNamespace, authority: TestAuthority) {
    this.#namespace = namespace;
    this.#authority = authority;
    this.#running = this.#watch();
    // Who stops it gets the error.
    this.#running.catch(() => undefined);
  }

  static async start(namespace: CaseNamespace): Promise<CertificateIssuer> {
    return new CertificateIssuer(namespace, await TestAuthority.create());
  }

  /** Issues each certificate anew, with another key. */
  async renewAll(): Promise<void> {
    const { api, name } = this.#namespace;
    const { items } = await api.get(`/apis/cert-manager.io/v1/namespaces/${name}/certificates`);
    for (const { spec } of items) {
      await api.patch(`/api/v1/namespaces/${name}/secrets/${spec.secretName}`, { data: await this.#issue(spec) });
    }
  }

  /** @throws Error if it could not issue what was asked for */
  async stop(): Promise<void> {
    this.#stopping.abort();
    try {
      await this.#running;
    } finally {
      await this.#authority.remove();
    }
  }

  async #watch(): Promise<void> {
    const { api, name } = this.#namespace;
    const changes = api.changes(`/apis/cert-manager.io/v1/namespaces/${name}/certificates`, this.#stopping.signal);
    for await (const { type, object } of changes) {
      if (type !== "ADDED") continue;
      await api.create(`/api/v1/namespaces/${name}/secrets`, {
        apiVersion: "v1",
        kind: "Secret",
        type: "kubernetes.io/tls",
        metadata: { name: object["spec"].secretName },
        data: await this.#issue(object["spec"]),
      });
    }
  }

  async #issue({ dnsNames, issuerRef }: KubernetesObject): Promise<Readonly<Record<string, string>>> {
    if (!isDeepStrictEqual(issuerRef, ISSUER)) throw new Error(`no such issuer: ${JSON.stringify(issuerRef)}`);
    const { cert, key, authority } = await this.#authority.issue(...dnsNames);
    const files = { "tls.crt": cert, "tls.key": key, "ca.crt": authority };
    return Object.fromEntries(
      Object.entries(files).map(([file, text]) => [file, Buffer.from(text).toString("base64")]),
    );
  }
}
