// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Whole-number arithmetic of ContinuousAuction.
library ContinuousAuctionArithmetic {
    function divideUp(uint256 a, uint256 b) internal pure returns (uint256) {
        return a / b + (a % b == 0 ? 0 : 1);
    }

    function multiplyDivideUp(uint256 a, uint256 b, uint256 divisor) internal pure returns (uint256 quotient) {
        quotient = multiplyDivide(a, b, divisor);
        if (mulmod(a, b, divisor) != 0) quotient += 1;
    }

    /// a · b / divisor, rounded down, with all 512 bits of the product. Reverts if the quotient has more than 256 bits.
    function multiplyDivide(uint256 a, uint256 b, uint256 divisor) internal pure returns (uint256 quotient) {
        (uint256 high, uint256 low) = _product(a, b);
        if (high == 0) return low / divisor;
        require(high < divisor, "the quotient has more than 256 bits");
        // Long division, a bit at a time: `high` is the remainder, and the quotient's bits follow those of `low`.
        unchecked {
            for (uint256 bit = 0; bit < 256; bit++) {
                bool carries = high >> 255 == 1;
                high = high << 1 | low >> 255;
                low <<= 1;
                if (!carries && high < divisor) continue;
                high -= divisor;
                low |= 1;
            }
        }
        return low;
    }

    /// The product modulo 2^256 − 1 and modulo 2^256 together give both halves of it.
    function _product(uint256 a, uint256 b) private pure returns (uint256 high, uint256 low) {
        unchecked {
            uint256 modulo = mulmod(a, b, type(uint256).max);
            low = a * b;
            high = modulo - low - (modulo < low ? 1 : 0);
        }
    }
}
