import type { ServerResponse } from "node:http";

const routes = new WeakMap<ServerResponse, string>();

/** Notes the route of a request: its path with `{name}` for what varies, so that it holds no value of the request. */
export function noteRoute(response: ServerResponse, route: string): void {
  routes.set(response, route);
}

/** The route that was noted last. Undefined for a request that no route matches. */
export function routeOf(response: ServerResponse): string | undefined {
  return routes.get(response);
}
