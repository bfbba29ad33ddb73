import type { CaseNamespace } from "./case-namespace.ts";

/** Milliseconds after which a connection counts as refused: policies refuse at once. */
const LIMIT_MS = 20_000;

/** Those of the targets, each `host:port`, to which a pod's container can open a connection. */
export async function reachableFrom(
  namespace: CaseNamespace,
  pod: string,
  targets: readonly string[],
): Promise<readonly string[]> {
  const code = `
    import { connect } from "node:net";
    const opens = (target) => new Promise((resolve) => {
      const [host, port] = target.split(":");
      const socket = connect({ host, port: Number(port) });
      const end = (result) => { socket.destroy(); resolve(result); };
      socket.setTimeout(${LIMIT_MS}, () => end(false)).on("error", () => end(false)).on("connect", () => end(true));
    });
    const targets = ${JSON.stringify(targets)};
    const opened = await Promise.all(targets.map(opens));
    console.log(JSON.stringify(targets.filter((_, index) => opened[index])));`;
  const out = await namespace.run(
    `kubectl exec ${pod} -- /nodejs/bin/node --input-type=module --eval '${code.replaceAll("'", "")}'`,
  );
  return JSON.parse(out);
}

/** Starts a pod of the product's image that does nothing, and waits until it runs. */
export async function startStranger(namespace: CaseNamespace): Promise<string> {
  const securityContext = {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  };
  const container = {
    name: "stranger",
    image: "registry.example.com/tidemark:any",
    args: ["--eval", "setInterval(() => {}, 1000)"],
    securityContext: { ...securityContext, runAsUser: 65_532 },
  };
  await namespace.api.create(`/api/v1/namespaces/${namespace.name}/pods`, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "stranger" },
    spec: { containers: [container], terminationGracePeriodSeconds: 1 },
  });
  await namespace.run("kubectl wait --for=condition=Ready --timeout=4m pod/stranger");
  return "pod/stranger";
}
