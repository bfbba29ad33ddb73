import { routes, type Surfaces } from "../router.ts";

/** A stand-in for every dependency of the handlers, which the table needs only to be made: any property of it, any result. */
const STAND_IN: object = new Proxy(callable(), {
  get: (_, key) => (key === Symbol.toPrimitive ? () => "https://gateway.example" : STAND_IN),
  apply: () => STAND_IN,
  construct: () => STAND_IN,
});

/** Returns what the stand-in stands for: with the property that handlers read of a copy. */
function callable(): object {
  return Object.assign(() => {}, { config: {} });
}

/** Returns all rows of the routing table of a gateway that has every surface, without working handlers. */
export function routeTable() {
  const surfaces = new Proxy({ pathPrefix: "svc" }, { get: (own, key) => Reflect.get(own, key) ?? STAND_IN });
  return routes(surfaces as unknown as Surfaces);
}

/** Whether a path is one that a row's pattern means: `:name` and `{name}` are one segment, `*` at the end any rest. */
export function isOfPattern(pattern: string, path: string): boolean {
  const source = pattern
    .split("/")
    .map((segment) => (/^[:{]/.test(segment) ? "[^/]+" : segment === "*" ? ".*" : segment.replaceAll(".", "\\.")))
    .join("/");
  return new RegExp(`^${source}$`).test(path);
}
