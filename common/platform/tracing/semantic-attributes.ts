/**
 * The names of attributes that spans and access logs take from OpenTelemetry's semantic conventions, version 1.45.0. The package
 * that lists all names is only compared with them by a test: loading it would cost each start 16 ms and 1 MB.
 */
export const SEMANTIC_ATTRIBUTES = [
  "db.namespace",
  "db.operation.batch.size",
  "db.operation.name",
  "db.query.summary",
  "db.response.status_code",
  "db.system.name",
  "error.type",
  "http.request.method",
  "http.response.size",
  "http.response.status_code",
  "http.route",
  "messaging.destination.name",
  "messaging.destination.template",
  "messaging.message.id",
  "messaging.operation.name",
  "messaging.operation.type",
  "messaging.system.name",
  "network.protocol.name",
  "network.protocol.version",
  "rpc.method",
  "rpc.status_code",
  "rpc.system.name",
  "server.address",
  "server.port",
  "service.instance.id",
  "service.name",
  "service.namespace",
  "service.version",
  "url.full",
  "url.path",
  "url.scheme",
] as const;

/** The name of a span's attribute: of the conventions, or of Tidemark's own. */
export type AttributeName = (typeof SEMANTIC_ATTRIBUTES)[number] | `tidemark.${string}`;
