/** The English texts of the pages on which a sale is opened and settled, of `gateway/dashboard/opening/`. */
export const OPENING_EN = {
  opening: {
    title: "Open the sale?",
    panel: "Opening",
    noDraft: "It isn’t a draft any more.",
    lacking: "It can’t open yet:",
    unknown: "Whether it can open isn’t known now.",
    text: "From then on everybody sees its figures, and there is no way back to a draft. Kind of pricing, payment tokens, decimals and the contract can’t change any more once the contract was read. The owners are notified by e-mail.",
    anywayText: "Whoever knows better opens the sale although the check doesn’t pass.",
    open: "Open the sale",
    openAnyway: "Open it anyway",
    notYet: "Not yet",
    noContract: "No contract is set: one of your services sends the commitments.",
    settleTitle: "Settle the sale?",
    settlePanel: "Settling",
    settleText:
      "The sale is over then, for good: it can’t be opened again, its page says “Settled”, no bid is taken any more and no purchase permit given. Bids that are marked refunded count from then on, as the reference contract marks everybody at the end. What is accepted can still be set. A sale that is read from a contract is settled by its contract. The owners are notified by e-mail.",
    settle: "Settle the sale",
    contractTitle: "The contract now",
    contractPanel: "Result",
    checkAgain: "Check again",
  },
} as const;
