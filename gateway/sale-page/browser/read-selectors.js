// common/contracts/reference/evm/read-selectors.ts without types, made by `npm run generate`.

export const READ_SELECTORS = {
  numCommitments: "0xa0ea7a57",
  readCommitmentDataIn: "0x6a18b324",
};
