// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// A right to bid, signed off the chain: version 3 of purchase permits. The field order is part of what is signed.
struct PurchasePermitV3 {
    bytes16 saleSpecificEntityID;
    bytes16 saleUUID;
    /// The account that bids.
    address wallet;
    /// Seconds since 1970; the permit is good before this second.
    uint64 expiresAt;
    /// Bounds of the entity's total in smallest units, of all its wallets and tokens together.
    uint256 minAmount;
    uint256 maxAmount;
    /// Bounds of the price, in price ticks.
    uint64 minPrice;
    uint64 maxPrice;
    /// Bids are taken from the first of these seconds until before the second.
    uint64 opensAt;
    uint64 closesAt;
    /// What else the sale's contract wants to know: empty, or one ABI-encoded word.
    bytes payload;
}

/// Finds out who signed a permit.
library PermitSignature {
    error ECDSAInvalidSignature();
    error ECDSAInvalidSignatureLength(uint256 length);
    error ECDSAInvalidSignatureS(bytes32 s);

    /// Each signature has a twin with an `s` above this, half the order of secp256k1. Only one of them is taken.
    uint256 private constant MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    /// The account that signed a permit as an EIP-191 message: the bytes of its ABI encoding, not their hash.
    function signerOf(PurchasePermitV3 memory permit, bytes memory signature) internal pure returns (address) {
        return _recover(_digest(abi.encode(permit)), signature);
    }

    function _digest(bytes memory message) private pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n", _decimal(message.length), message));
    }

    function _recover(bytes32 digest, bytes memory signature) private pure returns (address signer) {
        if (signature.length != 65) revert ECDSAInvalidSignatureLength(signature.length);
        bytes32 s;
        assembly ("memory-safe") {
            s := mload(add(signature, 64))
        }
        if (uint256(s) > MAX_S) revert ECDSAInvalidSignatureS(s);
        signer = ecrecover(digest, uint8(signature[64]), bytes32(signature), s);
        if (signer == address(0)) revert ECDSAInvalidSignature();
    }

    function _decimal(uint256 number) private pure returns (bytes memory digits) {
        for (; number > 0; number /= 10) digits = abi.encodePacked(uint8(48 + number % 10), digits);
    }
}
