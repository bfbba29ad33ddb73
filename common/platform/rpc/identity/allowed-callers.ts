/** Names of callers by service type name, such as `tidemark.commitments.v1.SaleService`, and method name. */
export type AllowedCallers = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
