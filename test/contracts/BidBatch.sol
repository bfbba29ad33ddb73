// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IAuction {
    function floorPrice() external view returns (uint256);
    function tickSpacing() external view returns (uint256);
    function submitBid(uint256 maxPrice, uint128 amount, address owner, uint256 prevTickPrice, bytes calldata hookData)
        external
        payable
        returns (uint256);
}

/// Makes many bids of 1,000 of the chain's own coin in one transaction, at `ticks` prices above the floor in turn, each of an owner of
/// its own. They must come in the order of their numbers from 0 on, so that each finds the tick below its own.
contract BidBatch {
    function bid(IAuction auction, uint256 first, uint256 count, uint256 ticks) external payable {
        uint256 floor = auction.floorPrice();
        uint256 spacing = auction.tickSpacing();
        for (uint256 number = first; number < first + count; number++) {
            uint256 below = floor + spacing * (number % ticks);
            auction.submitBid{value: 1000}(below + spacing, 1000, address(uint160(number + 1)), below, "");
        }
    }
}
