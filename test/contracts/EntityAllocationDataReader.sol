// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {WalletTokenAmount} from "./CommitmentDataReader.sol";

struct EntityAllocationData {
    bytes16 saleSpecificEntityID;
    WalletTokenAmount[] acceptedAmounts;
}

/// The interface that accepted amounts are read by: one row for each entity, in the order of the commitments.
interface EntityAllocationDataReader {
    function numEntityAllocations() external view returns (uint256);

    /// @param from the first index
    /// @param to the index after the last
    function readEntityAllocationDataIn(uint256 from, uint256 to) external view returns (EntityAllocationData[] memory);
}
