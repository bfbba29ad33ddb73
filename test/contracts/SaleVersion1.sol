// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AuctionSale} from "./AuctionSale.sol";

/// A sale with the stages and cancellations of version 1 of the reference contract: 0 before the opening, 1 commitment,
/// 2 closed, 3 cancellation, 4 settlement, 5 done. Cancelled commitments keep their amounts, and once it is done, all
/// commitments are marked as refunded.
contract SaleVersion1 is AuctionSale {
    constructor(bytes16 uuid, address[] memory tokens) AuctionSale(uuid, tokens, true) {}

    function version() external pure returns (uint32 major, uint32 minor, uint32 patch) {
        return (1, 0, 0);
    }

    function _cancellationStage() internal pure override returns (uint8) {
        return 3;
    }

    function _settlementStage() internal pure override returns (uint8) {
        return 5;
    }

    function _doneStage() internal pure override returns (uint8) {
        return 5;
    }
}
