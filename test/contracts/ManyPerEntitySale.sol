// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CommitmentData, WalletTokenAmount} from "./CommitmentDataReader.sol";
import {Owned} from "./Owned.sol";
import {RowList} from "./RowList.sol";
import {SaleEvents} from "./SaleEvents.sol";

/// A sale where every bid is a commitment of its own, so that an entity has several and their IDs can't be told from
/// the entity that the logs name.
contract ManyPerEntitySale is RowList, SaleEvents, Owned {
    function bid(bytes16 entity, uint64 price, address wallet, address token, uint256 amount) external onlyOwner {
        CommitmentData storage row = _rows.push();
        row.commitmentID = keccak256(abi.encode(entity, _rows.length));
        row.saleSpecificEntityID = entity;
        row.timestamp = uint64(block.timestamp);
        row.price = price;
        row.amounts.push(WalletTokenAmount(wallet, token, amount));
        emit BidPlaced(entity, wallet, Bid(false, price, amount));
    }

    /// Adds to the first amount of a commitment.
    function increase(uint256 index, uint256 amount) external onlyOwner {
        CommitmentData storage row = _rows[index];
        WalletTokenAmount storage first = row.amounts[0];
        first.amount += amount;
        emit CommitmentIncreased(row.saleSpecificEntityID, first.wallet, first.token, amount);
    }
}
