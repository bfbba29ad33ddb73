// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {PermitSignature, PurchasePermitV3} from "./PurchasePermit.sol";

/// What the hook asks the auction that calls it.
interface CallingAuction {
    /// Before the bid is stored: the ID that it will have.
    function nextBidId() external view returns (uint256);
    function tickSpacing() external view returns (uint256);
}

/// What an auction calls before it stores a bid.
interface ValidationHook {
    function validate(uint256 maxPrice, uint128 amount, address owner, address sender, bytes calldata hookData) external;
}

/// Takes a bid in a Continuous Clearing Auction only with a purchase permit for its owner, within the permit's bounds.
///
/// Nobody can add a signer, change a rule or undo a bid: only the signers that the constructor was given ever count. The revoker
/// can take them away, one by one. So it can void a leaked key's permits and even end the bidding, but admit nobody.
///
/// Anybody may call `validate` and claim to be an auction. All that is stored or logged is therefore kept by the caller: a
/// stranger's calls can't touch an auction's totals or entities, and readers look at those of their auction's address alone.
/// The hook calls nothing but two view functions of its caller, before it stores anything.
contract PurchasePermitHook is ValidationHook {
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);
    /// @param total all that the entity has bid in this auction, this bid included
    event BidPermitted(address indexed auction, uint256 indexed bidId, bytes16 indexed entity, uint256 total);

    error ZeroSaleUUID();
    error NoSigner();
    error ZeroSigner();
    error NotRevoker(address got, address want);
    error HookDataTooShort(uint256 length, uint256 least);
    error InvalidSaleUUID(bytes16 got, bytes16 want);
    error PurchasePermitExpired(uint256 expiresAt, uint256 currentTime);
    error InvalidOwner(address got, address want);
    error InvalidSender(address got, address want);
    error UnsupportedPayload(bytes payload);
    error UnauthorizedSigner(address signer);
    error BidOutsideAllowedWindow(uint64 opensAt, uint64 closesAt, uint256 currentTime);
    error BidPriceExceedsMaxPrice(uint256 price, uint256 max);
    error BidPriceBelowMinPrice(uint256 price, uint256 min);
    error BidBelowMinAmount(uint256 amount, uint256 min);
    error BidExceedsMaxAmount(uint256 amount, uint256 max);
    error ZeroEntityID();

    bytes32 public constant PURCHASE_PERMIT_SIGNER_ROLE = keccak256("PURCHASE_PERMIT_SIGNER_ROLE");

    /// A permit without payload and an empty signature, ABI-encoded. Less means that somebody bids without a permit.
    uint256 private constant LEAST_HOOK_DATA = 15 * 32;
    /// The greatest price of a permit, as its prices are also JSON numbers: it means that there is no bound.
    uint256 private constant NO_MAX_PRICE = 2 ** 53 - 1;

    bytes16 public immutable saleUUID;
    /// May take signers away. Zero: nobody may.
    address public immutable revoker;
    mapping(address account => bool) private _isSigner;
    /// What an entity has bid in an auction: the sum of all its bids, outbid and exited ones included.
    mapping(address auction => mapping(bytes16 entity => uint256)) public totalOf;
    /// Who made a bid of an auction; zero where there is none.
    mapping(address auction => mapping(uint256 bidId => bytes16)) public entityOf;

    constructor(bytes16 uuid, address[] memory signers, address revokingAccount) {
        if (uuid == 0) revert ZeroSaleUUID();
        if (signers.length == 0) revert NoSigner();
        saleUUID = uuid;
        revoker = revokingAccount;
        for (uint256 i = 0; i < signers.length; i++) {
            // `ecrecover` answers with zero where it fails.
            if (signers[i] == address(0)) revert ZeroSigner();
            _isSigner[signers[i]] = true;
            emit RoleGranted(PURCHASE_PERMIT_SIGNER_ROLE, signers[i], msg.sender);
        }
    }

    function hasRole(bytes32 role, address account) public view returns (bool) {
        return role == PURCHASE_PERMIT_SIGNER_ROLE && _isSigner[account];
    }

    /// Takes a signer away for good.
    function revokeRole(bytes32 role, address account) external {
        if (msg.sender != revoker) revert NotRevoker(msg.sender, revoker);
        if (!hasRole(role, account)) return;
        _isSigner[account] = false;
        emit RoleRevoked(role, account, msg.sender);
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x01ffc9a7 || interfaceId == type(ValidationHook).interfaceId;
    }

    /// Who made the bids of an auction from one ID up to, but not including, another.
    function entitiesIn(address auction, uint256 from, uint256 to) external view returns (bytes16[] memory entities) {
        entities = new bytes16[](to - from);
        for (uint256 i = 0; i < entities.length; i++) entities[i] = entityOf[auction][from + i];
    }

    /// Reverts unless the permit in `hookData`, which is `abi.encode(permit, signature)`, allows this bid.
    function validate(uint256 maxPrice, uint128 amount, address owner, address sender, bytes calldata hookData) external {
        if (hookData.length < LEAST_HOOK_DATA) revert HookDataTooShort(hookData.length, LEAST_HOOK_DATA);
        (PurchasePermitV3 memory permit, bytes memory signature) = abi.decode(hookData, (PurchasePermitV3, bytes));
        _checkPermit(permit, owner, sender);
        address signer = PermitSignature.signerOf(permit, signature);
        if (!_isSigner[signer]) revert UnauthorizedSigner(signer);
        _checkPrice(permit, maxPrice, CallingAuction(msg.sender).tickSpacing());
        uint256 bidId = CallingAuction(msg.sender).nextBidId();
        bytes16 entity = permit.saleSpecificEntityID;
        uint256 total = totalOf[msg.sender][entity] + amount;
        if (total < permit.minAmount) revert BidBelowMinAmount(total, permit.minAmount);
        if (total > permit.maxAmount) revert BidExceedsMaxAmount(total, permit.maxAmount);
        totalOf[msg.sender][entity] = total;
        entityOf[msg.sender][bidId] = entity;
        emit BidPermitted(msg.sender, bidId, entity, total);
    }

    function _checkPermit(PurchasePermitV3 memory permit, address owner, address sender) private view {
        if (permit.saleUUID != saleUUID) revert InvalidSaleUUID(permit.saleUUID, saleUUID);
        if (permit.expiresAt <= block.timestamp) revert PurchasePermitExpired(permit.expiresAt, block.timestamp);
        if (block.timestamp < permit.opensAt || block.timestamp >= permit.closesAt) {
            revert BidOutsideAllowedWindow(permit.opensAt, permit.closesAt, block.timestamp);
        }
        if (owner != permit.wallet) revert InvalidOwner(owner, permit.wallet);
        // Otherwise whoever sees a pending bid could use its permit first, and so use up the entity's maximum.
        address wanted = _senderFor(permit);
        if (sender != wanted) revert InvalidSender(sender, wanted);
        if (permit.saleSpecificEntityID == 0) revert ZeroEntityID();
    }

    /// The account that may send the bid: the permit's wallet, or the one that its payload names as `abi.encode(address)`.
    function _senderFor(PurchasePermitV3 memory permit) private pure returns (address) {
        if (permit.payload.length == 0) return permit.wallet;
        uint256 word = uint256(bytes32(permit.payload));
        // 0 and 1 are `abi.encode(bool forcedLockup)`: an auction has no lockup that could be enforced.
        if (permit.payload.length != 32 || word <= 1 || word > type(uint160).max) revert UnsupportedPayload(permit.payload);
        return address(uint160(word));
    }

    /// @param spacing a price of a permit is a multiple of it
    function _checkPrice(PurchasePermitV3 memory permit, uint256 price, uint256 spacing) private pure {
        uint256 min = permit.minPrice * spacing;
        if (price < min) revert BidPriceBelowMinPrice(price, min);
        if (permit.maxPrice >= NO_MAX_PRICE) return;
        uint256 max = permit.maxPrice * spacing;
        if (price > max) revert BidPriceExceedsMaxPrice(price, max);
    }
}
