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

/// @dev Comes right before `Ownable`, so that it lies in the owner's slot, which each mint reads anyway.
abstract contract MintCount {
    /// @dev Only where the supply is limited, since it costs a write for each token. A revoked token stays counted.
    uint96 internal _minted;
}

/// @title One customer's collection of tokens
/// @notice ERC-721 with royalties (ERC-2981), metadata updates (ERC-4906) and contract metadata (ERC-7572), and where it
/// was deployed so, with a limited supply, with tokens that cannot be transferred (ERC-5192) or that the owner can revoke.
/// Not upgradeable. All metadata is served under a base address that the owner can move; where a token's
/// metadata is found follows from the base, this contract's address in lower case, and the token's id.
contract Collection is ERC721, ERC2981, MintCount, Ownable2Step, IERC4906 {
    using Strings for address;

    /// @notice ERC-7572: the answer of `contractURI`, or what is found there, has changed.
    event ContractURIUpdated();

    /// @notice The royalty of every token has changed. ERC-2981 has no event of its own.
    /// @param receiver The zero address when there is none any more.
    /// @param fraction In hundredths of a per cent.
    event DefaultRoyaltyUpdated(address indexed receiver, uint96 fraction);

    /// @notice ERC-5192: this new token can never be transferred.
    event Locked(uint256 tokenId);

    /// @notice A collection without an owner could never be minted into again.
    error OwnershipCannotBeRenounced();

    /// @notice All tokens that there may be were made.
    error SupplyExhausted();

    /// @notice The token cannot be transferred (ERC-5192).
    error TokenLocked();

    /// @notice The collection was deployed without the right to revoke tokens.
    error NotRevocable();

    /// @notice How many tokens are ever made; 0 where that is not limited.
    uint256 public immutable maxSupply;

    /// @notice Whether the owner of the collection can take tokens back, whoever holds them.
    bool public immutable revocable;

    /// @dev ERC-5192 tells of it, by `locked` and `supportsInterface`.
    bool private immutable _isLocked;

    string private _base;

    /// @param base Without a slash at its end, such as `https://api.example.com`.
    /// @param owner_ Alone can mint. Named, because a contract made through a CREATE2 proxy has the proxy as its sender.
    /// @param royaltyReceiver The zero address for no royalty.
    /// @param royaltyFraction In hundredths of a per cent.
    /// @param maxSupply_ How many tokens are ever made; 0 for any number.
    /// @param isLocked Whether tokens stay where they are minted to.
    /// @param revocable_ Whether the owner can take tokens back.
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

    /// @notice Makes the token `id`, which the owner chooses, and gives it to `to`.
    /// @dev Does not ask a receiving contract (`_mint`, not `_safeMint`): a receiver that reverts or burns gas
    /// could otherwise block its mint, and with an unlucky gas limit one behind it.
    function mint(address to, uint256 id) external onlyOwner {
        _make(to, id);
    }

    /// @notice Makes the tokens from `firstId` on, one for each receiver in their order: all of them or none.
    /// @dev Asks no receiving contract, as `mint`.
    function mintBatch(address[] calldata to, uint256 firstId) external onlyOwner {
        for (uint256 i = 0; i < to.length; ++i) {
            unchecked {
                // Ids that wrapped would be ids like others: there is none that must not be made.
                _make(to[i], firstId + i);
            }
        }
    }

    /// @notice Takes the token `id` back for good, whoever holds it: it is burnt.
    function revoke(uint256 id) external onlyOwner {
        if (!revocable) revert NotRevocable();
        _burn(id);
    }

    /// @notice Moves all metadata to another base address.
    function setBase(string calldata base) external onlyOwner {
        _base = base;
        emit BatchMetadataUpdate(0, type(uint256).max);
        emit ContractURIUpdated();
    }

    /// @notice ERC-4906: says that what is found at the token's `tokenURI` has changed.
    function emitMetadataUpdate(uint256 id) external onlyOwner {
        emit MetadataUpdate(id);
    }

    /// @notice ERC-4906: the same of each token from `fromId` to `toId`, both included.
    function emitBatchMetadataUpdate(uint256 fromId, uint256 toId) external onlyOwner {
        emit BatchMetadataUpdate(fromId, toId);
    }

    /// @notice ERC-7572: says that what is found at `contractURI` has changed.
    function emitContractURIUpdated() external onlyOwner {
        emit ContractURIUpdated();
    }

    /// @notice Sets the royalty of every token, in hundredths of a per cent.
    /// @param receiver Not the zero address, which ERC-2981 has for "none": see `deleteDefaultRoyalty`.
    function setDefaultRoyalty(address receiver, uint96 fraction) external onlyOwner {
        _updateDefaultRoyalty(receiver, fraction);
    }

    /// @notice No token asks for a royalty any more.
    function deleteDefaultRoyalty() external onlyOwner {
        _deleteDefaultRoyalty();
        emit DefaultRoyaltyUpdated(address(0), 0);
    }

    /// @notice ERC-5192: whether the token can never be transferred.
    function locked(uint256 id) external view returns (bool) {
        _requireOwned(id);
        return _isLocked;
    }

    /// @notice Reverts. Ownership is handed over in two steps: `transferOwnership`, then `acceptOwnership` by the new owner.
    function renounceOwnership() public pure override {
        revert OwnershipCannotBeRenounced();
    }

    /// @inheritdoc ERC721
    /// @dev Whatever transfers a token comes through here.
    function transferFrom(address from, address to, uint256 id) public override(ERC721, IERC721) {
        if (_isLocked) revert TokenLocked();
        super.transferFrom(from, to, id);
    }

    /// @notice ERC-7572: where the metadata of the collection is found.
    function contractURI() public view returns (string memory) {
        return string.concat(_base, "/api/v1/nft/contracts/", address(this).toHexString(), "/metadata");
    }

    /// @inheritdoc ERC721
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        return string.concat(contractURI(), "/", _decimal(id));
    }

    /// @inheritdoc ERC721
    /// @dev ERC-5192 would have an event for each token that is minted unlocked, so only a collection that locks them has it.
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
                // Of a batch each token writes the one warm slot: less than code of its own would cost each deployment.
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

    /// @dev 300 bytes less than `Strings.toString`, which would cost each deployment more than anybody pays for a view.
    function _decimal(uint256 value) private pure returns (string memory text) {
        do {
            // 0x30 is the digit 0.
            text = string(abi.encodePacked(uint8(0x30 | value % 10), text));
            value /= 10;
        } while (value != 0);
    }
}
