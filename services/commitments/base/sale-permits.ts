/** Asks or notifies the entities service before a sale changes, as it issues permits for bids in the sale. */
export interface SalePermits {
  /**
   * Checks that a sale may open.
   *
   * @throws ServiceError `failed_precondition` saying what is missing; `unavailable`
   */
  admitOpening(saleUuid: string, live: boolean): Promise<void>;
  /**
   * Stops permits of a sale before it changes. Afterwards none is issued until the entities service has read what came of it.
   *
   * @throws ServiceError `unavailable`
   */
  stopPermits(saleUuid: string): Promise<void>;
  /**
   * Stops permits of a sale whose contract takes no more bids. Never fails and takes a second at most, since figures don't
   * wait for it: without it, permits end as soon as the entities service reads the new stage.
   */
  stopPermitsSoon(saleUuid: string): Promise<void>;
  /** Erases what is stored about a removed sale. Never fails: otherwise it happens some minutes later. */
  eraseSale(saleUuid: string): Promise<void>;
}

/** Used without an entities service: no sale has permits. */
export const noSalePermits: SalePermits = {
  admitOpening: async () => {},
  stopPermits: async () => {},
  stopPermitsSoon: async () => {},
  eraseSale: async () => {},
};
