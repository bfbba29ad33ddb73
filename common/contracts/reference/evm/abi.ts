/** The read interface of sale contracts, `ICommitmentDataReader`, and further functions of the reference sale. */
export const SALE_FUNCTIONS = [
  "struct WalletTokenAmount { address wallet; address token; uint256 amount; }",
  "struct CommitmentData { bytes32 commitmentID; bytes16 saleSpecificEntityID; uint64 timestamp; uint64 price; bool lockup; bool refunded; WalletTokenAmount[] amounts; bytes extraData; }",
  "struct TokenAmount { address token; uint256 amount; }",
  "function numCommitments() view returns (uint256)",
  "function readCommitmentDataIn(uint256 from, uint256 to) view returns (CommitmentData[])",
  "function totalCommittedAmountByToken() view returns (TokenAmount[])",
  "function stage() view returns (uint8)",
  "function paymentTokens() view returns (address[])",
  "function saleUUID() view returns (bytes16)",
  "function maxWalletsPerEntity() view returns (uint8)",
  "function version() view returns (uint32 major, uint32 minor, uint32 patch)",
  "struct EntityAllocationData { bytes16 saleSpecificEntityID; WalletTokenAmount[] acceptedAmounts; }",
  "function numEntityAllocations() view returns (uint256)",
  "function readEntityAllocationDataIn(uint256 from, uint256 to) view returns (EntityAllocationData[])",
  "function totalAcceptedAmountByToken() view returns (TokenAmount[])",
] as const;

/** First topics of the logs for a changed commitment. Their second topic is its entity. */
export const ROW_TOPICS = {
  /** `BidPlaced(bytes16 indexed,address indexed,(bool,uint64,uint256))` */
  bidPlaced: "0xe27dec4eec3029f08bbab610adb1d3f896887933da00eba6092ae587fc6698db",
  /** `CommitmentIncreased(bytes16 indexed,address indexed,address indexed,uint256)` */
  commitmentIncreased: "0x13be04f62c00b39d70ad09c874f1d956a1a71633696f416f2a9163b94da0858d",
  /** `CommitmentReduced(bytes16 indexed,address indexed,address indexed,uint256)` */
  commitmentReduced: "0xc8aad04394fdadca1061d5b8baaa87b845f6bcbf28753c86d81f48504d8bb442",
  /** `EntityRefunded(bytes16 indexed,uint256)` */
  entityRefunded: "0x7abd3cacdbde546ee1c649a89f901f43c1b1f77a2a227328cd2f8def661674fc",
  /** `AllocationSet(bytes16 indexed,address indexed,address indexed,uint256)` */
  allocationSet: "0x577e7407bfa6325d3634b980fde4be3e018bb406bfa56eafaeefd1e3fa856290",
} as const;

/** `StageChanged(uint8 indexed,uint8 indexed)`: names no entity. */
export const STAGE_TOPIC = "0x0f63b8bffe147a0fe1362da0e6e3ae0fcffce5497482f4d438715fe53890acf1";
