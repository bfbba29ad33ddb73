/** The paths of what the public reads of sales; `{SaleUUID}` is the placeholder of a sale. */
export function publicPaths(prefix: string) {
  const base = `/${prefix}/v1/public`;
  const sale = `${base}/sales/{SaleUUID}`;
  return {
    read: `${base}/read-commitment-data`,
    readSale: `${base}/read-sale`,
    readPosition: `${base}/read-position`,
    sale,
    commitmentData: `${sale}/commitment-data`,
    stream: `${sale}/commitment-data/stream`,
    history: `${sale}/history`,
    demand: `${sale}/demand`,
    /** The custom element for other sites. */
    saleScript: `${base}/tidemark-sale.js`,
    /** Its second part, named by its content. */
    saleScriptExtras: `${base}/tidemark-sale/{file}`,
  };
}
