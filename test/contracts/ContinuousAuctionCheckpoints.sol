// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ContinuousAuctionArithmetic as Arithmetic} from "./ContinuousAuctionArithmetic.sol";
import {ContinuousAuctionSchedule} from "./ContinuousAuctionSchedule.sol";
import {ContinuousAuctionTicks} from "./ContinuousAuctionTicks.sol";

struct Checkpoint {
    uint256 clearingPrice;
    /// Raised from bids at exactly this price, since it has been the price.
    uint256 currencyRaisedAtClearingPriceQ96_X7;
    /// Sum of ⌊mps · 2^192 / price⌋.
    uint256 cumulativeMpsPerPrice;
    uint24 cumulativeMps;
    /// 0: none.
    uint64 prev;
    /// `type(uint64).max`: none.
    uint64 next;
}

/// What was sold, at which prices. A checkpoint sells what was issued since the one before it, at its own price, which is that
/// of all bids before its block. Amounts are times 2^96 (Q96) and times the ten-millionths of the supply (X7).
abstract contract ContinuousAuctionCheckpoints is ContinuousAuctionSchedule, ContinuousAuctionTicks {
    event CheckpointUpdated(uint256 blockNumber, uint256 clearingPrice, uint24 cumulativeMps);

    uint64 private constant NEWEST = type(uint64).max;

    uint64 public lastCheckpointedBlock;
    mapping(uint64 blockNumber => Checkpoint) private _checkpoints;
    uint256 private _raisedQ96_X7;
    uint256 private _clearedQ96_X7;

    function checkpoints(uint64 blockNumber) public view returns (Checkpoint memory) {
        return _checkpoints[blockNumber];
    }

    function latestCheckpoint() public view returns (Checkpoint memory) {
        return _checkpoints[lastCheckpointedBlock];
    }

    /// By the last checkpoint, in smallest units.
    function currencyRaised() public view returns (uint256) {
        return (_raisedQ96_X7 >> 96) / MPS;
    }

    /// Tokens sold by the last checkpoint, in smallest units.
    function totalCleared() public view returns (uint256) {
        return (_clearedQ96_X7 >> 96) / MPS;
    }

    /// Makes the checkpoint of a block that has none, from the state before the block's bids.
    function _makeCheckpoint(uint64 blockNumber) internal returns (Checkpoint memory made) {
        Checkpoint memory last = latestCheckpoint();
        // Another copy: an assignment would make both names one.
        made = latestCheckpoint();
        made.prev = lastCheckpointedBlock;
        made.next = NEWEST;
        made.clearingPrice = _iterate(END);
        made.cumulativeMps = _issuedBefore(blockNumber);
        if (made.clearingPrice != last.clearingPrice) made.currencyRaisedAtClearingPriceQ96_X7 = 0;
        _sell(made, made.cumulativeMps - last.cumulativeMps);
        if (made.prev != 0) _checkpoints[made.prev].next = blockNumber;
        _checkpoints[blockNumber] = made;
        lastCheckpointedBlock = blockNumber;
        emit CheckpointUpdated(blockNumber, made.clearingPrice, made.cumulativeMps);
    }

    /// Bids above the price get all their share of `mps`; those at the price get what is left, up to their own.
    function _sell(Checkpoint memory made, uint256 mps) private {
        uint256 price = made.clearingPrice;
        uint256 flow = sumCurrencyDemandAboveClearingQ96 * mps;
        uint256 demandAtPrice = ticks[price].currencyDemandQ96;
        if (demandAtPrice > 0) {
            uint256 left = totalSupply * price * mps - flow;
            uint256 atPrice = demandAtPrice * mps < left ? demandAtPrice * mps : left;
            made.currencyRaisedAtClearingPriceQ96_X7 += atPrice;
            flow += atPrice;
        }
        made.cumulativeMpsPerPrice += (mps << 192) / price;
        _raisedQ96_X7 += flow;
        // ⌈flow · 2^96 / price⌉ in 256 bits, as a remainder is below the price, and that below 2^160.
        _clearedQ96_X7 += (flow / price << 96) + Arithmetic.divideUp(flow % price << 96, price);
    }
}
