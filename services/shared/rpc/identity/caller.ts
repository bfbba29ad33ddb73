/** The service that a call comes from. */
export interface Caller {
  readonly name: string;
}

export interface CallerAuthenticator {
  /**
   * Finds the caller out from the `authorization` header.
   *
   * @throws ServiceError `unauthenticated` where it is absent, forged, expired or meant for another service
   */
  authenticate(authorization: string | undefined): Promise<Caller>;
}
