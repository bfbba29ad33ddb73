// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CommitmentData, CommitmentDataReader, WalletTokenAmount} from "./CommitmentDataReader.sol";
import {Owned} from "./Owned.sol";

/// A sale whose entities all have the same wallets, and an amount in each token from each wallet. Its storage is small and
/// its answers are large, so that calls run out of gas for memory first. It has no logs and no optional function.
contract WideSale is CommitmentDataReader, Owned {
    address[] private _wallets;
    address[] private _tokens;
    /// The amount of each pair, by entity.
    uint256[] private _amounts;

    constructor(address[] memory wallets, address[] memory tokens) {
        _wallets = wallets;
        _tokens = tokens;
    }

    /// Adds entities, each with its own number as amount.
    function commit(uint256 count) external onlyOwner {
        for (uint256 i = 0; i < count; i++) _amounts.push(_amounts.length);
    }

    function numCommitments() external view returns (uint256) {
        return _amounts.length;
    }

    function readCommitmentDataAt(uint256 index) external view returns (CommitmentData memory) {
        if (index >= _amounts.length) revert OutOfRange(index, index + 1, _amounts.length);
        return _read(index, _wallets, _tokens);
    }

    function readCommitmentDataIn(uint256 from, uint256 to) external view returns (CommitmentData[] memory rows) {
        if (from > to || to > _amounts.length) revert OutOfRange(from, to, _amounts.length);
        (address[] memory wallets, address[] memory tokens) = (_wallets, _tokens);
        rows = new CommitmentData[](to - from);
        for (uint256 i = 0; i < rows.length; i++) rows[i] = _read(from + i, wallets, tokens);
    }

    function _read(uint256 index, address[] memory wallets, address[] memory tokens)
        private
        view
        returns (CommitmentData memory row)
    {
        row.saleSpecificEntityID = bytes16(uint128(index + 1));
        row.commitmentID = bytes32(row.saleSpecificEntityID);
        row.timestamp = 1_769_860_800;
        row.price = 10;
        row.amounts = new WalletTokenAmount[](wallets.length * tokens.length);
        for (uint256 i = 0; i < row.amounts.length; i++) {
            row.amounts[i] =
                WalletTokenAmount(wallets[i / tokens.length], tokens[i % tokens.length], _amounts[index]);
        }
    }
}
