// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

struct AuctionBid {
    uint64 startBlock;
    uint24 startCumulativeMps;
    uint64 exitedBlock;
    uint256 maxPrice;
    address owner;
    uint256 amountQ96;
    uint256 tokensFilled;
}

struct AuctionCheckpoint {
    uint256 clearingPrice;
    uint256 currencyRaisedAtClearingPriceQ96_X7;
    uint256 cumulativeMpsPerPrice;
    uint24 cumulativeMps;
    uint64 prev;
    uint64 next;
}

/// What a reader asks a Continuous Clearing Auction, of version 1.0.0 or 1.1.0.
interface ReadAuction {
    function token() external view returns (address);
    function currency() external view returns (address);
    function totalSupply() external view returns (uint128);
    function startBlock() external view returns (uint64);
    function endBlock() external view returns (uint64);
    function claimBlock() external view returns (uint64);
    function floorPrice() external view returns (uint256);
    function tickSpacing() external view returns (uint256);
    function validationHook() external view returns (address);
    function pointer() external view returns (address);
    function nextBidId() external view returns (uint256);
    function bids(uint256 bidId) external view returns (AuctionBid memory);
    function checkpoint() external;
    function checkpoints(uint64 blockNumber) external view returns (AuctionCheckpoint memory);
    function lastCheckpointedBlock() external view returns (uint64);
    function isGraduated() external view returns (bool);
    function ticks(uint256 price) external view returns (uint256 next, uint256 currencyDemandQ96);
    /// In version 1.1.0 only.
    function lbpInitializationParams() external view;
    error TokensNotReceived();
}
