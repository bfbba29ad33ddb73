/** The facts of a token on its chain. */
export interface TokenCheck {
  /** The address as it was asked for. */
  readonly address: string;
  /** Absent if the token doesn't say. */
  readonly decimals?: number;
  /** Absent if the token has none that can be shown. */
  readonly symbol?: string;
  /** Why the decimals are unknown, with what to do about it; absent if they are known. */
  readonly problem?: string;
}
