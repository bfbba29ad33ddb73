/** The kinds of objects that the chart makes for other operators, as their own releases define them: file by module. */
export const DEFINITIONS: readonly (readonly [module: string, ...files: readonly string[]])[] = [
  ["github.com/cert-manager/cert-manager@v1.21.2", "deploy/crds/cert-manager.io_certificates.yaml"],
  ["github.com/external-secrets/external-secrets@v1.3.2", "config/crds/bases/external-secrets.io_externalsecrets.yaml"],
  [
    "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    ...["podmonitors", "servicemonitors", "prometheusrules"].map(
      (kind) => `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
    ),
  ],
  [
    "sigs.k8s.io/gateway-api@v1.6.3",
    // The chart makes an HTTPRoute only; who acts on it wants to know all of them.
    ...[
      "backendtlspolicies",
      "gatewayclasses",
      "gateways",
      "grpcroutes",
      "httproutes",
      "listenersets",
      "referencegrants",
      "tcproutes",
      "tlsroutes",
      "udproutes",
    ].map((kind) => `config/crd/standard/gateway.networking.k8s.io_${kind}.yaml`),
  ],
];

/** Their modules, each with its version. */
export const DEFINITION_MODULES: readonly string[] = DEFINITIONS.map(([module]) => module);
