import { checksummed } from '../../../shared/chain/hex.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { type BurnField, burnFields } from '../../../shared/nft/tokens/gone.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';

/** The status of each kind of burn of a token. */
export const burnStatuses = (nft: Pick<Nft, BurnField>) =>
  Object.fromEntries(burnFields.map((field) => [field, nft[field]?.status]));

/** A collection in the form in which commands print it, with some of its tokens. */
export const contractRecord = (contract: Contract, tokens: readonly Nft[]) => ({
  address: checksummed(contract.address),
  application: contract.applicationId,
  name: contract.name,
  symbol: contract.symbol,
  status: contract.status,
  failure_reason: contract.failureReason,
  created_at: contract.createdAt,
  signer: contract.signer,
  nonce: contract.nonce,
  transaction_hash: contract.transactionHash,
  royalty: contract.royalty,
  royalty_change: contract.royaltyChange,
  metadata_change: contract.metadataChange,
  max_supply: contract.maxSupply,
  transferable: contract.transferable,
  revocable: contract.revocable,
  tokens: tokens.map(({ tokenId, status, destination, metadata, nonce, createdAt, ...nft }) => ({
    token: tokenId,
    status,
    ...burnStatuses(nft),
    name: metadata.name,
    destination: checksummed(destination),
    nonce,
    created_at: createdAt,
  })),
});
