// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CommitmentData, CommitmentDataReader} from "./CommitmentDataReader.sol";

/// The reading side of contracts that store their rows as they are read.
abstract contract RowList is CommitmentDataReader {
    CommitmentData[] internal _rows;

    function numCommitments() external view returns (uint256) {
        return _rows.length;
    }

    function readCommitmentDataAt(uint256 index) external view returns (CommitmentData memory) {
        if (index >= _rows.length) revert OutOfRange(index, index + 1, _rows.length);
        return _rows[index];
    }

    function readCommitmentDataIn(uint256 from, uint256 to) external view returns (CommitmentData[] memory rows) {
        if (from > to || to > _rows.length) revert OutOfRange(from, to, _rows.length);
        rows = new CommitmentData[](to - from);
        for (uint256 i = 0; i < rows.length; i++) rows[i] = _rows[from + i];
    }
}
