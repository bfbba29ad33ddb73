// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AuctionSale} from "./AuctionSale.sol";

/// A sale with the stages and cancellations of version 2 of the reference contract: 0 before the opening, 1 commitment,
/// 2 cancellation, 3 settlement, 4 done. Cancelled commitments lose their amounts, and once it is done, all commitments
/// are marked as refunded.
contract SaleVersion2 is AuctionSale {
    constructor(bytes16 uuid, address[] memory tokens) AuctionSale(uuid, tokens, false) {}

    function version() external pure returns (uint32 major, uint32 minor, uint32 patch) {
        return (2, 0, 0);
    }

    function _settlementStage() internal pure override returns (uint8) {
        return 4;
    }
}
