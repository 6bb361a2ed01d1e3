// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @dev Inherited directly before `Ownable`, so that the count shares a storage slot with the owner. Each mint reads
/// that slot anyway.
abstract contract MintCount {
    /// @dev Counted only if the supply is limited, because counting costs a write for each token. Revoked tokens still
    /// count.
    uint96 internal _minted;
}

/// @title One customer's collection of tokens
/// @notice ERC-721 with royalties (ERC-2981), metadata updates (ERC-4906) and contract metadata (ERC-7572). The
/// deployment can limit the supply, make tokens non-transferable (ERC-5192), or let the owner revoke tokens. Not
/// upgradeable. All metadata is served under a base URL that the owner can change. The URL of a token's metadata
/// consists of the base URL, this contract's address in lower case, and the token's id.
contract Collection is ERC721, ERC2981, MintCount, Ownable2Step, IERC4906 {
    using Strings for address;

    /// @notice ERC-7572: the result of `contractURI`, or the metadata at that URL, has changed.
    event ContractURIUpdated();

    /// @notice The royalty of every token has changed. ERC-2981 has no event of its own.
    /// @param receiver The zero address if the royalty was removed.
    /// @param fraction In hundredths of a per cent.
    event DefaultRoyaltyUpdated(address indexed receiver, uint96 fraction);

    /// @notice ERC-5192: this new token can never be transferred.
    event Locked(uint256 tokenId);

    /// @notice Without an owner, no more tokens could be minted into the collection.
    error OwnershipCannotBeRenounced();

    /// @notice All tokens of the limited supply have been minted.
    error SupplyExhausted();

    /// @notice The token cannot be transferred (ERC-5192).
    error TokenLocked();

    /// @notice The collection was deployed without the right to revoke tokens.
    error NotRevocable();

    /// @notice How many tokens can ever be minted; 0 if the supply is not limited.
    uint256 public immutable maxSupply;

    /// @notice Whether the owner of the collection can burn tokens of any holder.
    bool public immutable revocable;

    /// @dev Shown by `locked` and `supportsInterface` (ERC-5192).
    bool private immutable _isLocked;

    string private _base;

    /// @param base Without a slash at its end, such as `https://api.example.com`.
    /// @param owner_ Only the owner can mint. It is a parameter, because the sender of a CREATE2 deployment is the
    /// proxy.
    /// @param royaltyReceiver The zero address for no royalty.
    /// @param royaltyFraction In hundredths of a per cent.
    /// @param maxSupply_ How many tokens can ever be minted; 0 for no limit.
    /// @param isLocked Whether tokens cannot be transferred.
    /// @param revocable_ Whether the owner can burn tokens of any holder.
    constructor(
        string memory name_,
        string memory symbol_,
        string memory base,
        address owner_,
        address royaltyReceiver,
        uint96 royaltyFraction,
        uint256 maxSupply_,
        bool isLocked,
        bool revocable_
    ) ERC721(name_, symbol_) Ownable(owner_) {
        _base = base;
        maxSupply = maxSupply_;
        _isLocked = isLocked;
        revocable = revocable_;
        if (royaltyReceiver != address(0)) _updateDefaultRoyalty(royaltyReceiver, royaltyFraction);
    }

    /// @notice Mints the token `id`, which the owner chooses, to the address `to`.
    /// @dev Does not call a receiving contract (`_mint`, not `_safeMint`). Such a contract could revert or use up the
    /// gas. It would then block its own mint, and with an unlucky gas limit also a later transaction.
    function mint(address to, uint256 id) external onlyOwner {
        _make(to, id);
    }

    /// @notice Mints one token to each address in `to`, with consecutive ids from `firstId`: all tokens or none.
    /// @dev Like `mint`, does not call receiving contracts.
    function mintBatch(address[] calldata to, uint256 firstId) external onlyOwner {
        for (uint256 i = 0; i < to.length; ++i) {
            unchecked {
                // If an id overflows, the resulting id is valid too, because the owner may mint any id.
                _make(to[i], firstId + i);
            }
        }
    }

    /// @notice Burns the token `id`, whoever holds it.
    function revoke(uint256 id) external onlyOwner {
        if (!revocable) revert NotRevocable();
        _burn(id);
    }

    /// @notice Changes the base URL of all metadata.
    function setBase(string calldata base) external onlyOwner {
        _base = base;
        emit BatchMetadataUpdate(0, type(uint256).max);
        emit ContractURIUpdated();
    }

    /// @notice ERC-4906: announces that the metadata at the token's `tokenURI` has changed.
    function emitMetadataUpdate(uint256 id) external onlyOwner {
        emit MetadataUpdate(id);
    }

    /// @notice ERC-4906: announces a change of the metadata of all tokens from `fromId` to `toId`, both included.
    function emitBatchMetadataUpdate(uint256 fromId, uint256 toId) external onlyOwner {
        emit BatchMetadataUpdate(fromId, toId);
    }

    /// @notice ERC-7572: announces that the metadata at `contractURI` has changed.
    function emitContractURIUpdated() external onlyOwner {
        emit ContractURIUpdated();
    }

    /// @notice Sets the royalty of every token, in hundredths of a per cent.
    /// @param receiver Must not be the zero address. To remove the royalty, call `deleteDefaultRoyalty`.
    function setDefaultRoyalty(address receiver, uint96 fraction) external onlyOwner {
        _updateDefaultRoyalty(receiver, fraction);
    }

    /// @notice Removes the royalty of every token.
    function deleteDefaultRoyalty() external onlyOwner {
        _deleteDefaultRoyalty();
        emit DefaultRoyaltyUpdated(address(0), 0);
    }

    /// @notice ERC-5192: whether the token can never be transferred.
    function locked(uint256 id) external view returns (bool) {
        _requireOwned(id);
        return _isLocked;
    }

    /// @notice Always reverts. Ownership can only be transferred: `transferOwnership`, then `acceptOwnership` by the
    /// new owner.
    function renounceOwnership() public pure override {
        revert OwnershipCannotBeRenounced();
    }

    /// @inheritdoc ERC721
    /// @dev Every transfer of a token calls this function.
    function transferFrom(address from, address to, uint256 id) public override(ERC721, IERC721) {
        if (_isLocked) revert TokenLocked();
        super.transferFrom(from, to, id);
    }

    /// @notice ERC-7572: the URL of the collection's metadata.
    function contractURI() public view returns (string memory) {
        return string.concat(_base, "/api/v1/nft/contracts/", address(this).toHexString(), "/metadata");
    }

    /// @inheritdoc ERC721
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        return string.concat(contractURI(), "/", _decimal(id));
    }

    /// @inheritdoc ERC721
    /// @dev ERC-5192 requires an event for each minted token, locked or unlocked. To save these events, only a
    /// collection with locked tokens supports ERC-5192.
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, ERC2981, IERC165) returns (bool) {
        if (interfaceId == bytes4(0xb45a3c0e)) return _isLocked;
        return interfaceId == bytes4(0x49064906) || super.supportsInterface(interfaceId);
    }

    function _make(address to, uint256 id) private {
        uint256 most = maxSupply;
        if (most != 0) {
            uint96 minted = _minted;
            if (minted == most) revert SupplyExhausted();
            unchecked {
                // In a batch, each token writes the same warm slot. That costs less than the longer code of a single
                // write would cost each deployment.
                // slither-disable-next-line costly-loop
                _minted = minted + 1;
            }
        }
        _mint(to, id);
        if (_isLocked) emit Locked(id);
    }

    function _updateDefaultRoyalty(address receiver, uint96 fraction) private {
        _setDefaultRoyalty(receiver, fraction);
        emit DefaultRoyaltyUpdated(receiver, fraction);
    }

    /// @dev 300 bytes shorter than `Strings.toString`. The shorter code makes each deployment cheaper; only views call
    /// it.
    function _decimal(uint256 value) private pure returns (string memory text) {
        do {
            // 0x30 is the digit 0.
            text = string(abi.encodePacked(uint8(0x30 | value % 10), text));
            value /= 10;
        } while (value != 0);
    }
}
