// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

struct WalletTokenAmount {
    address wallet;
    address token;
    uint256 amount;
}

struct CommitmentData {
    bytes32 commitmentID;
    bytes16 saleSpecificEntityID;
    /// Seconds since 1970.
    uint64 timestamp;
    /// In price ticks of the sale.
    uint64 price;
    bool lockup;
    bool refunded;
    WalletTokenAmount[] amounts;
    bytes extraData;
}

/// The interface that sale contracts are read by: their current rows.
interface CommitmentDataReader {
    /// A range that isn't within the rows.
    error OutOfRange(uint256 from, uint256 to, uint256 count);

    function numCommitments() external view returns (uint256);

    function readCommitmentDataAt(uint256 index) external view returns (CommitmentData memory);

    /// @param from the first index
    /// @param to the index after the last
    function readCommitmentDataIn(uint256 from, uint256 to) external view returns (CommitmentData[] memory);
}
