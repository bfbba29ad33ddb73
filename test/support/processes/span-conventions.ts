import { SEMANTIC_ATTRIBUTES } from "../../../common/platform/tracing/semantic-attributes.ts";
import type { ReceivedKind, ReceivedSpan } from "./otlp-receiver.ts";

/** The rules of OpenTelemetry's semantic conventions for one group of spans. */
interface Convention {
  /** The attribute that every span of the group has, and no other. */
  readonly group: string;
  readonly kinds: readonly ReceivedKind[];
  readonly required: readonly string[];
  readonly nameOf: (attributes: Readonly<Record<string, string>>) => string | undefined;
}

const CONVENTIONS: readonly Convention[] = [
  {
    group: "http.request.method",
    kinds: ["server"],
    required: ["url.path", "url.scheme", "http.route"],
    nameOf: (attributes) => `${attributes["http.request.method"]} ${attributes["http.route"]}`,
  },
  {
    group: "rpc.system.name",
    kinds: ["server", "client"],
    required: ["rpc.method"],
    nameOf: (attributes) => attributes["rpc.method"],
  },
  {
    group: "db.system.name",
    kinds: ["client"],
    required: ["db.operation.name", "db.query.summary"],
    nameOf: (attributes) => attributes["db.query.summary"],
  },
  {
    group: "messaging.system.name",
    kinds: ["producer", "consumer"],
    required: ["messaging.operation.name", "messaging.operation.type", "messaging.destination.name"],
    nameOf: (attributes) => `${attributes["messaging.operation.name"]} ${attributes["messaging.destination.template"]}`,
  },
];

/**
 * Returns where a span doesn't follow the semantic conventions. One of no group must be internal, or name the server that it is about:
 * there are no conventions for mail.
 */
export function conventionProblems({ name, kind, attributes, failed }: ReceivedSpan): string[] {
  const given = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)]));
  const unknown = Object.keys(given).filter((key) => !key.startsWith("tidemark.") && !isSemantic(key));
  const groups = CONVENTIONS.filter(({ group }) => group in given);
  const expected = groups.flatMap(({ kinds, required, nameOf }) => [
    ...(kinds.includes(kind) ? [] : [`the kind is ${kind}`]),
    ...required.filter((key) => !given[key]).map((key) => `${key} is missing`),
    ...(nameOf(given) === name ? [] : [`the name should be ${nameOf(given)}`]),
  ]);
  const problems = [
    ...unknown.map((key) => `there is no ${key}`),
    ...expected,
    ...(groups.length === 0 && !isOfNoGroup(kind, given) ? [`the kind is ${kind}`] : []),
    ...(given["rpc.system.name"] && kind === "client" && !given["server.address"] ? ["server.address is missing"] : []),
    ...(failed === "error.type" in given ? [] : ["the status and error.type don't agree"]),
  ];
  return problems.map((problem) => `${name}: ${problem}`);
}

function isOfNoGroup(kind: ReceivedKind, attributes: Readonly<Record<string, string>>): boolean {
  return kind === "internal" || (kind === "client" && Boolean(attributes["server.address"]));
}

function isSemantic(key: string): boolean {
  return SEMANTIC_ATTRIBUTES.some((name) => name === key);
}
