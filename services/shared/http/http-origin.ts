/** The origin of a server by the address that it listens on; IPv6 addresses in brackets. */
export function httpOrigin(host: string, port: number, scheme: "http" | "https" = "http"): string {
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
