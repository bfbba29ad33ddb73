// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What a sale logs. Every change of a row comes with at least one of the first four.
interface SaleEvents {
    struct Bid {
        bool lockup;
        uint64 price;
        /// Of all the entity's wallets and tokens together, after the bid.
        uint256 amount;
    }

    event BidPlaced(bytes16 indexed entity, address indexed wallet, Bid bid);
    event CommitmentIncreased(bytes16 indexed entity, address indexed wallet, address indexed token, uint256 amount);
    event CommitmentReduced(bytes16 indexed entity, address indexed wallet, address indexed token, uint256 amount);
    event EntityRefunded(bytes16 indexed entity, uint256 amount);
    event StageChanged(uint8 indexed from, uint8 indexed to);
}
