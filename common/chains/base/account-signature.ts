/** A signature that a smart account may have given. All fields are `0x` and hexadecimal digits. */
export interface AccountSignature {
  readonly account: string;
  /** 32 bytes. */
  readonly digest: string;
  readonly signature: string;
}

/** A smart account's answer about a signature. */
export interface AccountSignatureCheck {
  readonly valid: boolean;
  /** Whether there is a contract at the address. */
  readonly hasCode: boolean;
}
