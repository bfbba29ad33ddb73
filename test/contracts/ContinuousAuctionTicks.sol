// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ContinuousAuctionArithmetic as Arithmetic} from "./ContinuousAuctionArithmetic.sol";

/// The prices that were bid, as a list in ascending order from the floor on, with their demand.
abstract contract ContinuousAuctionTicks {
    struct Tick {
        /// `type(uint256).max`: none. 0: there is no such tick.
        uint256 next;
        uint256 currencyDemandQ96;
    }

    event TickInitialized(uint256 price);
    event NextActiveTickUpdated(uint256 price);

    error InvalidTickSpacing();
    error InvalidFloorPrice();
    error InvalidSupply();
    error TickPriceNotAtBoundary();
    error InvalidBidPriceTooHigh();
    error InvalidPreviousTick();

    uint256 internal constant END = type(uint256).max;

    uint128 public immutable totalSupply;
    uint256 public immutable floorPrice;
    uint256 public immutable tickSpacing;
    uint256 public immutable MAX_BID_PRICE;

    mapping(uint256 price => Tick) public ticks;
    /// The first tick above the price of the last iteration.
    uint256 public nextActiveTickPrice = END;
    /// Sum of the demand from that tick upwards, bids since the last iteration included.
    uint256 public sumCurrencyDemandAboveClearingQ96;
    /// The last tick that was passed, at first the floor: the price is never below it.
    uint256 private _passedPrice;

    constructor(uint128 supply, uint256 floor, uint256 spacing) {
        if (supply == 0 || supply > 1 << 100) revert InvalidSupply();
        if (spacing < 2) revert InvalidTickSpacing();
        if (floor < 1 << 32 || floor % spacing != 0 || floor >= _maxBidPrice(supply)) revert InvalidFloorPrice();
        totalSupply = supply;
        floorPrice = floor;
        tickSpacing = spacing;
        MAX_BID_PRICE = _maxBidPrice(supply);
        ticks[floor].next = END;
        _passedPrice = floor;
        emit TickInitialized(floor);
    }

    /// @param previous any tick below the price; nearer ones cost less
    function _initializeTick(uint256 previous, uint256 price) internal {
        if (price % tickSpacing != 0) revert TickPriceNotAtBoundary();
        if (price > MAX_BID_PRICE) revert InvalidBidPriceTooHigh();
        if (ticks[price].next != 0) return;
        if (previous >= price || ticks[previous].next == 0) revert InvalidPreviousTick();
        uint256 next = ticks[previous].next;
        while (next < price) (previous, next) = (next, ticks[next].next);
        ticks[previous].next = price;
        ticks[price].next = next;
        emit TickInitialized(price);
        if (next == nextActiveTickPrice) _activate(price);
    }

    function _addDemand(uint256 price, uint256 demandQ96) internal {
        ticks[price].currencyDemandQ96 += demandQ96;
        sumCurrencyDemandAboveClearingQ96 += demandQ96;
    }

    /// Passes ticks below `until` for as long as what is demanded from the next one upwards buys the supply at its price.
    ///
    /// @return price if all ticks were allowed, the smallest number at which the demand strictly above it doesn't exceed the
    /// supply; else that or more
    function _iterate(uint256 until) internal returns (uint256 price) {
        uint256 sum = sumCurrencyDemandAboveClearingQ96;
        uint256 tick = nextActiveTickPrice;
        uint256 passed = _passedPrice;
        while (tick != END && tick < until && _isReached(tick, sum)) {
            passed = tick;
            sum -= ticks[tick].currencyDemandQ96;
            tick = ticks[tick].next;
        }
        if (tick != nextActiveTickPrice) {
            sumCurrencyDemandAboveClearingQ96 = sum;
            _passedPrice = passed;
            _activate(tick);
        }
        price = Arithmetic.divideUp(sum, totalSupply);
        if (price < passed) price = passed;
    }

    function _isReached(uint256 tick, uint256 sum) private view returns (bool) {
        return sum >= totalSupply * tick || Arithmetic.divideUp(sum, totalSupply) == tick;
    }

    function _activate(uint256 tick) private {
        nextActiveTickPrice = tick;
        emit NextActiveTickUpdated(tick);
    }

    /// The bound keeps products of price, supply and mps within 256 bits.
    function _maxBidPrice(uint256 supply) private pure returns (uint256) {
        if (supply <= 1 << 62) return type(uint160).max;
        uint256 root = (1 << 154) / supply;
        uint256 product = (1 << 222) / supply;
        return root * root < product ? root * root : product;
    }
}
