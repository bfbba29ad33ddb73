/** A mail to the person of an entity, which auth sends. */
export type Notice =
  | {
      readonly kind: "setup_decided";
      readonly label: string;
      readonly approved: boolean;
      readonly reason: string;
      readonly final: boolean;
    }
  | {
      readonly kind: "approval_expiry";
      readonly label: string;
      /** Milliseconds since 1970. */
      readonly expiresAtMs: number;
      readonly expired: boolean;
    };
