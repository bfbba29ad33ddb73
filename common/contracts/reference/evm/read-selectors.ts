/** First four bytes of the calls that a page makes through its reader's wallet, of functions of `SALE_FUNCTIONS`. */
export const READ_SELECTORS = {
  numCommitments: "0xa0ea7a57",
  readCommitmentDataIn: "0x6a18b324",
} as const;
