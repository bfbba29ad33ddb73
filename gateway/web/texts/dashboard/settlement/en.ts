/** The English texts of the page with a sale's settlement plan, of `gateway/dashboard/settlement/`. */
export const SETTLEMENT_EN = {
  settlementPlan: {
    title: "Settlement plan",
    lead: "Once bidding and cancelling are over: what the sale accepts of whom, worked out by a written rule, as files for those who sign. Nothing is sent, and nobody asks for a key.",
    stateTitle: "Can it be made now?",
    ready:
      "Nothing that Tidemark knows of the sale stands against it. When you make it, the operator’s node is asked whether the block of the last change is final.",
    readyWithoutContract: "Yes: the sale is settled, and nothing is being changed.",
    notYet: "Not yet:",
    large: "The sale is too large for a plan on this page. Let the operator make it with the command below.",
    ruleTitle: "The rule",
    auctionRule:
      "Everybody pays the clearing price: the highest at which the bids at it or above pay for all tokens. Refused bids count here too, as everybody has seen that price.",
    auctionSides:
      "Bids above it come first. Those at it share what is left in proportion to their amounts, rounded down. What rounding leaves is given to nobody.",
    fixedRule:
      "Everybody pays the fixed price. If all together want more than is on offer, each gets a part in proportion to the amount, rounded down. What rounding leaves is given to nobody.",
    unboundedRule:
      "Everybody pays the fixed price, and everything is accepted that isn’t refused, as the sale names no number of tokens on offer.",
    wholeRule: "The whole rule is in docs/settlement.md of Tidemark, so that anybody can work the plan out again.",
    formTitle: "Make a plan",
    refusals: "Refusals",
    refusalsHint:
      "A CSV file, if anybody is refused. Its first line is entity_id,wallet,reason; each other line names an entity or a wallet, of which nothing is accepted, and why. The reasons are part of the plan, which others will see.",
    limits: "Limits",
    limitsHint:
      "A CSV file, if there are any. Its first line is entity_id,largest; each other line has the most that is accepted of an entity, in smallest units of the payment token.",
    batch: "Allocations in a call",
    batchHint:
      "The most, from 1 to 9,999. A call of 200 takes millions of gas: let your node estimate the largest before anybody signs.",
    batchError: "Write a whole number from 1 to 9999",
    make: "Make the plan",
    uploadTitle: "These lists are too large",
    uploadText: "Here each may have 256 KB at most. Let the operator make the plan with the command.",
    noPlan: "No plan was made",
    changes: "The sale changed while it was read. Please try again.",
    notFinal: "The block of the last change isn’t final, and what it says may still be undone:",
    nobodySays:
      "Nobody can say now whether the block of the last change is final, or of which version the contract is. Please try again in a minute, or let the operator make the plan with the command.",
    tooManyChecks: "You have had contracts checked too often. Please try again in a minute.",
    otherFigures:
      "By the rule, total, number or price would be others than those that Tidemark publishes. That is a fault: tell the operator, and let nobody sign.",
    madeTitle: "The plan",
    hash: "SHA-256 of plan.json",
    compare:
      "Let somebody else make it too, by the command with a node that they trust, and compare this hash before anybody signs. The calls aren’t part of it: compare the sums of their files as well.",
    otherPlan: "The sale or its plan has changed since, so nothing was downloaded. Here is the plan of now.",
    block: "Block of the last change",
    blockOf: "{height} of {chain}",
    revision: "Revision",
    price: "Price",
    priceOf: "{price} ({ticks} ticks)",
    committed: "Committed",
    capacity: "Room",
    unbounded: "No bound",
    accepted: "Accepted",
    allocations: "Allocations",
    lists: "Lists",
    listed: "{refusals}, {limits}",
    refusalCount: { one: "one refusal", other: "{count} refusals" },
    limitCount: { one: "one limit", other: "{count} limits" },
    calls: "Calls",
    no_contract: "None: the sale isn’t read from a contract. allocations.csv is what Tidemark imports.",
    only_accounts:
      "None: on Solana Tidemark knows the program’s accounts, not its instructions. allocations.csv has what the accounts must hold.",
    unknown_version:
      "None: neither the contract nor the settings say its version, and calls are known for version {known} only.",
    other_version: "None: the contract is of version {version}, and calls are known for version {known} only.",
    warning: "The source gives a warning:",
    refusalsUnmatched: {
      one: "One line of the refusals names nobody who has bid, and isn’t in the plan: {lines}.",
      other: "{count} lines of the refusals name nobody who has bid, and aren’t in the plan: {lines}.",
    },
    limitsUnmatched: {
      one: "One line of the limits names nobody who has bid, and isn’t in the plan: {lines}.",
      other: "{count} lines of the limits name nobody who has bid, and aren’t in the plan: {lines}.",
    },
    andMore: "{lines}, …",
    filesTitle: "Files",
    filesText: "Each of these is the file that the command writes, byte by byte.",
    filesTable: "Table of files",
    file: "File",
    sum: "SHA-256",
    safes: {
      one: "And one file for a Safe, in the folder safe.",
      other: "And {count} files for a Safe, in the folder safe, to be executed in the order of their names.",
    },
    downloadAll: "Download all (ZIP)",
    download: "Download {file}",
    again: "Make another plan",
    commandTitle: "With the command",
    commandText:
      "It makes the same files, of a sale of any size, and asks a node of your choice. The operator has the command and its key.",
    commandLine: "Command line",
  },
  settlementObstacle: {
    settles_itself:
      "Its contract is a Continuous Clearing Auction, which sets the price, fills bids and refunds by its own rules: no plan is made for it.",
    sells_over_time:
      "The auction sells while bidding goes on, and decides itself what each bid gets: no plan divides it.",
    not_public: "The sale must be open or settled.",
    no_snapshot: "Its contract must have been read once as a whole.",
    change_set_open: "A large change is being stored: it must end first.",
    stage_unknown: "Nobody says the stage of its contract, which must be settlement or done.",
    bidding_or_cancelling:
      "Bidding and cancelling must be over: the contract’s stage must be settlement or done, and is “{stage}”.",
    still_open: "A sale that isn’t read from a contract must be settled first.",
    source_unread: "Nobody says of which block the figures are.",
    source_fault: "Its contract can’t be read.",
    feed_stands_still: "Its figures stand still.",
    sweep_runs: "Its contract is being read as a whole: that must end first.",
    sweep_waits: "A read of the whole contract was asked for, and must end first.",
  },
} as const;
