// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PermitSignature, PurchasePermitV3} from "../../contracts/PurchasePermit.sol";
import {Roles} from "./Roles.sol";
import {SaleVersion2} from "./SaleVersion2.sol";

/// An auction in which everybody with a purchase permit bids. Checks and errors are those of version 2 of the reference
/// contract, in the same order. The owner can still bid for everybody without a permit, by `bid` and `bidMany`: the demo's
/// simulated bidders have no keys. For the demo and tests: tokens that came in stay in.
contract PermitSale is SaleVersion2, Roles {
    error InvalidStage(uint8 got, uint8[] want);
    error SalePaused();
    error InvalidSaleUUID(bytes16 got, bytes16 want);
    error PurchasePermitExpired(uint256 expiresAt, uint256 currentTime);
    error InvalidSender(address got, address want);
    error UnauthorizedSigner(address signer);
    error InvalidPaymentToken(address token);
    error BidOutsideAllowedWindow(uint64 opensAt, uint64 closesAt, uint256 currentTime);
    error ZeroAmount();
    error BidPriceExceedsMaxPrice(uint256 price, uint256 max);
    error BidPriceBelowMinPrice(uint256 price, uint256 min);
    error BidBelowMinAmount(uint256 amount, uint256 min);
    error BidExceedsMaxAmount(uint256 amount, uint256 max);
    error BidMustHaveLockup();
    error BidAmountCannotBeLowered(uint256 got, uint256 want);
    error BidPriceCannotBeLowered(uint256 got, uint256 want);
    error BidLockupCannotBeUndone();
    error ZeroEntityID();
    error WalletTiedToAnotherEntity(bytes16 got, bytes16 want, address wallet);
    error MaxWalletsPerEntityExceeded(bytes16 entity, uint256 count, uint256 max);
    error SafeERC20FailedOperation(address token);

    bytes32 public constant PURCHASE_PERMIT_SIGNER_ROLE = keccak256("PURCHASE_PERMIT_SIGNER_ROLE");

    uint8 public immutable maxWalletsPerEntity;
    bool public paused;
    /// The entity that a wallet has bid for; zero if it has not.
    mapping(address wallet => bytes16) private _entityOf;
    mapping(bytes16 entity => uint256) private _walletCount;

    constructor(bytes16 uuid, address[] memory tokens, uint8 maxWallets) SaleVersion2(uuid, tokens) {
        maxWalletsPerEntity = maxWallets;
    }

    function setPaused(bool isPaused) external onlyOwner {
        paused = isPaused;
    }

    /// Makes the permit's entity bid `newBid.amount` in total. What it has bid before stays; the rest is taken from the sender,
    /// who must have approved it to this contract.
    function replaceBidWithApproval(
        address token,
        Bid calldata newBid,
        PurchasePermitV3 calldata permit,
        bytes calldata signature
    ) external {
        _checkOpen();
        _checkPermit(permit, signature);
        _checkBid(token, newBid, permit);
        bytes16 entity = permit.saleSpecificEntityID;
        uint256 increase = newBid.amount - _checkRaise(entity, newBid);
        _tieWallet(entity, msg.sender);
        _replace(entity, newBid.price, newBid.lockup);
        _add(entity, msg.sender, token, increase);
        emit BidPlaced(entity, msg.sender, newBid);
        if (increase > 0) _collect(token, increase);
    }

    function _checkOpen() private view {
        if (stage != COMMITMENT) {
            uint8[] memory want = new uint8[](1);
            want[0] = COMMITMENT;
            revert InvalidStage(stage, want);
        }
        if (paused) revert SalePaused();
    }

    function _checkPermit(PurchasePermitV3 calldata permit, bytes calldata signature) private view {
        if (permit.saleUUID != saleUUID) revert InvalidSaleUUID(permit.saleUUID, saleUUID);
        if (permit.expiresAt <= block.timestamp) revert PurchasePermitExpired(permit.expiresAt, block.timestamp);
        if (permit.wallet != msg.sender) revert InvalidSender(msg.sender, permit.wallet);
        address signer = PermitSignature.signerOf(permit, signature);
        if (!hasRole(PURCHASE_PERMIT_SIGNER_ROLE, signer)) revert UnauthorizedSigner(signer);
    }

    function _checkBid(address token, Bid calldata newBid, PurchasePermitV3 calldata permit) private view {
        if (!_takes(token)) revert InvalidPaymentToken(token);
        if (block.timestamp < permit.opensAt || block.timestamp >= permit.closesAt) {
            revert BidOutsideAllowedWindow(permit.opensAt, permit.closesAt, block.timestamp);
        }
        if (newBid.amount == 0) revert ZeroAmount();
        if (newBid.price > permit.maxPrice) revert BidPriceExceedsMaxPrice(newBid.price, permit.maxPrice);
        if (newBid.price < permit.minPrice) revert BidPriceBelowMinPrice(newBid.price, permit.minPrice);
        if (newBid.amount < permit.minAmount) revert BidBelowMinAmount(newBid.amount, permit.minAmount);
        if (newBid.amount > permit.maxAmount) revert BidExceedsMaxAmount(newBid.amount, permit.maxAmount);
        bool forcedLockup = abi.decode(permit.payload, (bool));
        if (forcedLockup && !newBid.lockup) revert BidMustHaveLockup();
    }

    /// @return before the entity's total until now
    function _checkRaise(bytes16 entity, Bid calldata newBid) private view returns (uint256 before) {
        Commitment storage commitment = _commitments[entity];
        before = _sum(commitment);
        if (commitment.refunded) revert AlreadyRefunded(entity);
        if (newBid.amount < before) revert BidAmountCannotBeLowered(newBid.amount, before);
        if (newBid.price < commitment.price) revert BidPriceCannotBeLowered(newBid.price, commitment.price);
        if (commitment.lockup && !newBid.lockup) revert BidLockupCannotBeUndone();
    }

    function _tieWallet(bytes16 entity, address wallet) private {
        if (entity == 0) revert ZeroEntityID();
        bytes16 tied = _entityOf[wallet];
        if (tied == entity) return;
        if (tied != 0) revert WalletTiedToAnotherEntity(entity, tied, wallet);
        uint256 count = ++_walletCount[entity];
        if (count > maxWalletsPerEntity) revert MaxWalletsPerEntityExceeded(entity, count, maxWalletsPerEntity);
        _entityOf[wallet] = entity;
    }

    function _collect(address token, uint256 amount) private {
        bytes memory transfer =
            abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, address(this), amount);
        (bool succeeded, bytes memory answer) = token.call(transfer);
        if (!succeeded || !_agrees(token, answer)) revert SafeERC20FailedOperation(token);
    }

    /// Some tokens return nothing, and some return false where others revert.
    function _agrees(address token, bytes memory answer) private view returns (bool) {
        return answer.length == 0 ? token.code.length > 0 : abi.decode(answer, (bool));
    }
}
