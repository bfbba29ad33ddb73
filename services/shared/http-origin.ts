/** The origin of a server by the address that it listens on; IPv6 addresses in brackets. */
export function httpOrigin(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
