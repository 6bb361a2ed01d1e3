// Read-only code for `eth_call` without `to`: asks an ERC-721 contract for the owners of many tokens at once.
// Behind the code comes one word with the contract's address, then one word for each token id. Returns one word for
// each id: the owner, or 0 if `ownerOf` fails or does not return exactly one address.
object "OwnersOf" {
    code {
        let codeSize := datasize("OwnersOf")
        let words := sub(codesize(), codeSize)
        codecopy(0x60, codeSize, words)
        let token := mload(0x60)
        let end := add(0x60, words)
        mstore(0, shl(224, 0x6352211e))
        for { let at := 0x80 } lt(at, end) { at := add(at, 0x20) } {
            mstore(4, mload(at))
            let succeeded := staticcall(500000, token, 0, 0x24, 0x40, 0x20)
            let owner := mload(0x40)
            let isAddress := and(eq(returndatasize(), 0x20), iszero(shr(160, owner)))
            mstore(at, mul(owner, and(succeeded, isAddress)))
        }
        return(0x80, sub(end, 0x80))
    }
}
