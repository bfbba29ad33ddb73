const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns a number that is the same for all calls about a sale, for a balancer; undefined for a call that names none. */
export function saleNumber(message: object): number | undefined {
  if (!("saleUuid" in message) || typeof message.saleUuid !== "string") return undefined;
  const number = Number.parseInt(message.saleUuid.slice(-8), 16);
  return Number.isNaN(number) ? undefined : number;
}

/** Returns the attribute of a span by which an operator finds the traces of a sale; none for a call that names no sale. */
export function saleAttributes(message: object): Readonly<Record<string, string>> {
  const saleUuid: unknown = Reflect.get(message, "saleUuid");
  return typeof saleUuid === "string" && UUID.test(saleUuid) ? { "tidemark.sale_uuid": saleUuid.toLowerCase() } : {};
}
