// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A smart account (EIP-1271) of one owner, which can misbehave.
contract SmartAccount {
    enum Behaviour {
        Honest,
        /// Takes all gas that it gets.
        BurnsGas,
        /// Reverts, with the words of a node that is out of capacity.
        Reverts,
        /// Answers with the magic value, and something else after it.
        MagicAndMore,
        /// Answers with a word that isn't the magic value.
        OtherWord,
        /// Answers with the four bytes of the magic value alone.
        ShortMagic,
        /// Answers with a megabyte.
        Megabyte,
        /// Answers with nothing.
        Nothing,
        /// Has signed on the chain, as a Safe's owners can: it takes an empty signature, and no other.
        SignedOnChain
    }

    bytes4 private constant MAGIC = 0x1626ba7e;

    address private immutable _owner;
    Behaviour private immutable _behaviour;

    constructor(address owner, Behaviour behaviour) {
        _owner = owner;
        _behaviour = behaviour;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4 answer) {
        if (_behaviour == Behaviour.Honest) return _isOwners(digest, signature) ? MAGIC : bytes4(0xffffffff);
        if (_behaviour == Behaviour.SignedOnChain) return signature.length == 0 ? MAGIC : bytes4(0xffffffff);
        if (_behaviour == Behaviour.BurnsGas) while (true) {}
        if (_behaviour == Behaviour.Reverts) revert("429: too many requests, rate limit, invalid API key");
        if (_behaviour == Behaviour.MagicAndMore) _answer(abi.encode(MAGIC, uint256(1)));
        if (_behaviour == Behaviour.OtherWord) _answer(abi.encode(bytes32(uint256(uint32(MAGIC)))));
        if (_behaviour == Behaviour.ShortMagic) _answer(abi.encodePacked(MAGIC));
        if (_behaviour == Behaviour.Megabyte) _answer(new bytes(1_000_000));
        _answer("");
    }

    function _isOwners(bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signature.length != 65) return false;
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), bytes32(signature[32:64])) == _owner;
    }

    function _answer(bytes memory data) private pure {
        assembly ("memory-safe") {
            return(add(data, 0x20), mload(data))
        }
    }
}
