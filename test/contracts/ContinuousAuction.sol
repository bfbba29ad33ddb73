// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ContinuousAuctionArithmetic as Arithmetic} from "./ContinuousAuctionArithmetic.sol";
import {Checkpoint, ContinuousAuctionCheckpoints} from "./ContinuousAuctionCheckpoints.sol";
import {ContinuousAuctionSchedule} from "./ContinuousAuctionSchedule.sol";
import {ContinuousAuctionTicks} from "./ContinuousAuctionTicks.sol";

interface AuctionToken {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

interface ValidationHook {
    function validate(uint256 maxPrice, uint128 amount, address owner, address sender, bytes calldata hookData) external;
}

/// What an auction is made with, in the order in which the factory's event has it.
struct AuctionParameters {
    /// Zero: the chain's own coin.
    address currency;
    address tokensRecipient;
    address fundsRecipient;
    uint64 startBlock;
    uint64 endBlock;
    uint64 claimBlock;
    uint256 tickSpacing;
    address validationHook;
    uint256 floorPrice;
    uint128 requiredCurrencyRaised;
    bytes auctionStepsData;
}

/// An auction with the public interface, rules and rounding of Uniswap's Continuous Clearing Auction, of version 1.0.0 or 1.1.0,
/// to test readers and hooks with. Tokens are paid by plain `transferFrom`, without Permit2, and it has neither `step()` nor a
/// factory. Prices are smallest currency units per smallest token unit, times 2^96.
contract ContinuousAuction is ContinuousAuctionCheckpoints {
    struct Bid {
        uint64 startBlock;
        /// Issued before that block.
        uint24 startCumulativeMps;
        /// 0: it is in.
        uint64 exitedBlock;
        uint256 maxPrice;
        address owner;
        uint256 amountQ96;
        /// From the exit until the claim.
        uint256 tokensFilled;
    }

    struct InitializationParams {
        uint256 initialPriceX96;
        uint256 tokensSold;
        uint256 currencyRaised;
    }

    event ClearingPriceUpdated(uint256 blockNumber, uint256 clearingPrice);
    event TokensReceived(uint256 totalSupply);
    event BidSubmitted(uint256 indexed id, address indexed owner, uint256 price, uint128 amount);
    event BidExited(uint256 indexed bidId, address indexed owner, uint256 tokensFilled, uint256 currencyRefunded);
    event TokensClaimed(uint256 indexed bidId, address indexed owner, uint256 tokensFilled);
    event CurrencySwept(address indexed fundsRecipient, uint256 currencyAmount);
    event TokensSwept(address indexed tokensRecipient, uint256 tokensAmount);

    error AuctionNotStarted();
    error AuctionIsOver();
    error AuctionIsNotOver();
    error AuctionSoldOut();
    error TokensNotReceived();
    error InvalidClaimBlock();
    error InvalidAmount();
    error BidOwnerCannotBeZeroAddress();
    error BidMustBeAboveClearingPrice();
    error InvalidUntilTick();
    error BidIdDoesNotExist(uint256 bidId);
    error BidAlreadyExited();
    error BidNotExited();
    error CannotExitBid();
    error CannotPartiallyExitBidBeforeEndBlock();
    error CannotPartiallyExitBidBeforeGraduation();
    error InvalidLastFullyFilledCheckpointHint();
    error InvalidOutbidBlockCheckpointHint();
    error NotClaimable();
    error NotGraduated();
    error AlreadySwept();
    error TransferFailed();
    error ValidationHookCallFailed(bytes reason);

    address public immutable token;
    address public immutable currency;
    address public immutable tokensRecipient;
    address public immutable fundsRecipient;
    uint64 public immutable claimBlock;
    address public immutable validationHook;
    /// No function returns it.
    uint128 private immutable _required;
    /// 1.1.0, and not 1.0.0.
    bool private immutable _isVersion1_1;

    Bid[] private _bids;
    bool private _hasTokens;
    bool private _currencySwept;
    bool private _tokensSwept;
    /// That of the last checkpoint, or one that was forced since, which may be above that of the next checkpoint. Before the first
    /// one it is 0 in version 1.0.0, and the floor in version 1.1.0.
    uint256 public clearingPrice;

    constructor(address soldToken, uint128 supply, AuctionParameters memory parameters, bool isVersion1_1)
        ContinuousAuctionSchedule(parameters.startBlock, parameters.endBlock, parameters.auctionStepsData)
        ContinuousAuctionTicks(supply, parameters.floorPrice, parameters.tickSpacing)
    {
        if (parameters.claimBlock < parameters.endBlock) revert InvalidClaimBlock();
        token = soldToken;
        currency = parameters.currency;
        tokensRecipient = parameters.tokensRecipient;
        fundsRecipient = parameters.fundsRecipient;
        claimBlock = parameters.claimBlock;
        validationHook = parameters.validationHook;
        _required = parameters.requiredCurrencyRaised;
        _isVersion1_1 = isVersion1_1;
        if (isVersion1_1) clearingPrice = parameters.floorPrice;
    }

    /// What the other version hasn't answers as a contract does that has no such function.
    modifier since1_1() {
        if (!_isVersion1_1) {
            assembly ("memory-safe") {
                revert(0, 0)
            }
        }
        _;
    }

    modifier onlyStarted() {
        if (block.number < startBlock) revert AuctionNotStarted();
        if (!_hasTokens) revert TokensNotReceived();
        _;
    }

    modifier onlyOver() {
        if (block.number < endBlock) revert AuctionIsNotOver();
        _;
    }

    function onTokensReceived() external {
        if (AuctionToken(token).balanceOf(address(this)) < totalSupply) revert TokensNotReceived();
        if (_hasTokens) return;
        _hasTokens = true;
        emit TokensReceived(totalSupply);
    }

    function nextBidId() public view returns (uint256) {
        return _bids.length;
    }

    function bids(uint256 bidId) external view returns (Bid memory) {
        return _storedBid(bidId);
    }

    /// By the last checkpoint. Once true it stays.
    function isGraduated() public view returns (bool) {
        return currencyRaised() >= _required;
    }

    function lbpInitializationParams() external view since1_1 returns (InitializationParams memory) {
        if (lastCheckpointedBlock != endBlock) revert AuctionIsNotOver();
        if (!isGraduated()) revert NotGraduated();
        return InitializationParams(latestCheckpoint().clearingPrice, totalCleared(), currencyRaised());
    }

    function checkpoint() public onlyStarted returns (Checkpoint memory made) {
        uint64 target = block.number < endBlock ? uint64(block.number) : endBlock;
        // A price that was forced since this block's checkpoint stays until the next one.
        if (target == lastCheckpointedBlock) return latestCheckpoint();
        made = _makeCheckpoint(target);
        _setClearingPrice(made.clearingPrice);
    }

    /// Passes ticks below `untilTick`, and takes the price that they leave, in the middle of a block too.
    function forceIterateOverTicks(uint256 untilTick) external since1_1 onlyStarted returns (uint256) {
        if (block.number >= endBlock) revert AuctionIsOver();
        if (untilTick != END && ticks[untilTick].next == 0) revert InvalidUntilTick();
        _setClearingPrice(_iterate(untilTick));
        return clearingPrice;
    }

    function submitBid(uint256 maxPrice, uint128 amount, address owner, bytes calldata hookData)
        external
        payable
        returns (uint256)
    {
        return submitBid(maxPrice, amount, owner, floorPrice, hookData);
    }

    /// @param prevTickPrice any tick below the price
    function submitBid(uint256 maxPrice, uint128 amount, address owner, uint256 prevTickPrice, bytes calldata hookData)
        public
        payable
        onlyStarted
        returns (uint256 bidId)
    {
        if (block.number >= endBlock) revert AuctionIsOver();
        if (amount == 0) revert InvalidAmount();
        if (owner == address(0)) revert BidOwnerCannotBeZeroAddress();
        _collect(amount);
        if (_isVersion1_1) _askHook(maxPrice, amount, owner, hookData);
        Checkpoint memory current = checkpoint();
        if (current.cumulativeMps == MPS) revert AuctionSoldOut();
        if (maxPrice <= clearingPrice) revert BidMustBeAboveClearingPrice();
        _initializeTick(prevTickPrice, maxPrice);
        if (!_isVersion1_1) _askHook(maxPrice, amount, owner, hookData);
        bidId = _bids.length;
        uint256 amountQ96 = uint256(amount) << 96;
        _bids.push(Bid(uint64(block.number), current.cumulativeMps, 0, maxPrice, owner, amountQ96, 0));
        _addDemand(maxPrice, Arithmetic.multiplyDivide(amountQ96, MPS, MPS - current.cumulativeMps));
        emit BidSubmitted(bidId, owner, maxPrice, amount);
    }

    /// Exits a bid above the final price, or any bid if too little was raised.
    function exitBid(uint256 bidId) external onlyOver {
        Bid memory bid = _bidToExit(bidId);
        Checkpoint memory last = checkpoint();
        if (!isGraduated()) return _exit(bidId, 0, 0);
        if (bid.maxPrice <= last.clearingPrice) revert CannotExitBid();
        (uint256 spent, uint256 tokens) = _fullFill(bid, last);
        _exit(bidId, tokens, spent);
    }

    /// Exits a bid that the price has reached.
    ///
    /// @param lastFullyFilledBlock the last checkpoint with a price below the bid's
    /// @param outbidBlock the first one with a price above it; 0 if the final price is the bid's
    function exitPartiallyFilledBid(uint256 bidId, uint64 lastFullyFilledBlock, uint64 outbidBlock) external {
        Bid memory bid = _bidToExit(bidId);
        checkpoint();
        if (!isGraduated()) {
            if (block.number < endBlock) revert CannotPartiallyExitBidBeforeGraduation();
            return _exit(bidId, 0, 0);
        }
        Checkpoint memory lastFull = checkpoints(lastFullyFilledBlock);
        if (
            lastFullyFilledBlock < bid.startBlock || lastFull.clearingPrice >= bid.maxPrice
                || checkpoints(lastFull.next).clearingPrice < bid.maxPrice
        ) revert InvalidLastFullyFilledCheckpointHint();
        (uint256 spent, uint256 tokens) = _fullFill(bid, lastFull);
        Checkpoint memory lastAtPrice = _lastAtPrice(bid, outbidBlock);
        if (lastAtPrice.clearingPrice == bid.maxPrice) {
            (uint256 spentAtPrice, uint256 tokensAtPrice) = _fillAtPrice(bid, lastAtPrice);
            spent += spentAtPrice;
            tokens += tokensAtPrice;
        }
        _exit(bidId, tokens, spent);
    }

    function claimTokens(uint256 bidId) external {
        if (block.number < claimBlock) revert NotClaimable();
        checkpoint();
        if (!isGraduated()) revert NotGraduated();
        Bid storage bid = _storedBid(bidId);
        if (bid.exitedBlock == 0) revert BidNotExited();
        uint256 tokens = bid.tokensFilled;
        if (tokens == 0) return;
        bid.tokensFilled = 0;
        emit TokensClaimed(bidId, bid.owner, tokens);
        _pay(token, bid.owner, tokens);
    }

    function sweepCurrency() external onlyOver {
        checkpoint();
        if (!isGraduated()) revert NotGraduated();
        if (_currencySwept) revert AlreadySwept();
        _currencySwept = true;
        emit CurrencySwept(fundsRecipient, currencyRaised());
        _pay(currency, fundsRecipient, currencyRaised());
    }

    function sweepUnsoldTokens() external onlyOver {
        checkpoint();
        if (_tokensSwept) revert AlreadySwept();
        _tokensSwept = true;
        uint256 unsold = isGraduated() ? totalSupply - totalCleared() : totalSupply;
        emit TokensSwept(tokensRecipient, unsold);
        _pay(token, tokensRecipient, unsold);
    }

    function _storedBid(uint256 bidId) private view returns (Bid storage) {
        if (bidId >= _bids.length) revert BidIdDoesNotExist(bidId);
        return _bids[bidId];
    }

    function _bidToExit(uint256 bidId) private view returns (Bid memory bid) {
        bid = _storedBid(bidId);
        if (bid.exitedBlock != 0) revert BidAlreadyExited();
    }

    function _askHook(uint256 maxPrice, uint128 amount, address owner, bytes calldata hookData) private {
        if (validationHook == address(0)) return;
        bytes memory call = abi.encodeCall(ValidationHook.validate, (maxPrice, amount, owner, msg.sender, hookData));
        (bool isTaken, bytes memory reason) = validationHook.call(call);
        if (!isTaken) revert ValidationHookCallFailed(reason);
    }

    function _setClearingPrice(uint256 price) private {
        if (price == clearingPrice) return;
        clearingPrice = price;
        emit ClearingPriceUpdated(block.number, price);
    }

    /// The last checkpoint at which a bid wasn't outbid. Its price is the bid's, or below where the price has passed over it.
    function _lastAtPrice(Bid memory bid, uint64 outbidBlock) private view returns (Checkpoint memory last) {
        if (outbidBlock == 0) {
            if (block.number < endBlock) revert CannotPartiallyExitBidBeforeEndBlock();
            last = latestCheckpoint();
            if (last.clearingPrice != bid.maxPrice) revert CannotExitBid();
            return last;
        }
        Checkpoint memory outbid = checkpoints(outbidBlock);
        last = checkpoints(outbid.prev);
        if (outbid.clearingPrice <= bid.maxPrice || last.clearingPrice > bid.maxPrice) {
            revert InvalidOutbidBlockCheckpointHint();
        }
    }

    /// What a bid got until a checkpoint while the price was below its own: its amount was spread over all that was still to be
    /// issued.
    function _fullFill(Bid memory bid, Checkpoint memory last) private view returns (uint256 spent, uint256 tokens) {
        uint256 rest = MPS - bid.startCumulativeMps;
        uint256 perPrice = last.cumulativeMpsPerPrice - checkpoints(bid.startBlock).cumulativeMpsPerPrice;
        spent = Arithmetic.multiplyDivideUp(bid.amountQ96, last.cumulativeMps - bid.startCumulativeMps, rest);
        tokens = Arithmetic.multiplyDivide(bid.amountQ96, perPrice, rest << 192);
    }

    /// What a bid got while the price was its own: its share of what its tick got.
    function _fillAtPrice(Bid memory bid, Checkpoint memory last) private view returns (uint256 spent, uint256 tokens) {
        uint256 whole = ticks[bid.maxPrice].currencyDemandQ96 * (MPS - bid.startCumulativeMps);
        uint256 raised = last.currencyRaisedAtClearingPriceQ96_X7;
        spent = Arithmetic.multiplyDivideUp(bid.amountQ96, raised, whole);
        tokens = Arithmetic.multiplyDivide(bid.amountQ96, raised, whole) / bid.maxPrice;
    }

    /// In version 1.0.0 a bid whose two fills were both rounded up may have spent 1 more than it has. Then this reverts, always.
    function _exit(uint256 bidId, uint256 tokens, uint256 spentQ96) private {
        Bid storage bid = _bids[bidId];
        if (_isVersion1_1 && spentQ96 > bid.amountQ96) spentQ96 = bid.amountQ96;
        uint256 refund = (bid.amountQ96 - spentQ96) >> 96;
        bid.tokensFilled = tokens;
        bid.exitedBlock = uint64(block.number);
        emit BidExited(bidId, bid.owner, tokens, refund);
        if (refund > 0) _pay(currency, bid.owner, refund);
    }

    function _collect(uint256 amount) private {
        if (msg.value != (currency == address(0) ? amount : 0)) revert InvalidAmount();
        if (currency == address(0)) return;
        if (!AuctionToken(currency).transferFrom(msg.sender, address(this), amount)) revert TransferFailed();
    }

    function _pay(address paid, address to, uint256 amount) private {
        bool isPaid;
        if (paid == address(0)) (isPaid,) = to.call{value: amount}("");
        else isPaid = AuctionToken(paid).transfer(to, amount);
        if (!isPaid) revert TransferFailed();
    }
}
