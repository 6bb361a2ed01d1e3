import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Contract } from '../../nft/collection/contract.ts';
import { type CollectionKey, type Nft, type NftMetadata, nftSchema } from '../../nft/collection/nft.ts';
import type { ClaimScope } from '../../nft/ports/claims.ts';
import { withoutNulls } from '../../nft/without-nulls.ts';

/** One write of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The tables that one recording writes to. */
export interface NftTables {
  readonly contracts: string;
  readonly nfts: string;
  readonly transactions: string;
  readonly requests: string;
}

/** Wide enough for every safe integer, so that keys sort like numbers. */
const padded = (number: number | string): string => String(number).padStart(16, '0');

/** The application comes first, so nobody can address what belongs to another. */
export const contractKey = ({ application, address }: Pick<Contract, 'application' | 'address'>) => ({
  pk: application,
  sk: address,
});

export const collectionPartition = ({ application, contract }: CollectionKey): string =>
  `${application}#${contract}`;

/** Beside the tokens and not among them, so that lists do not read it. */
export const counterKey = (key: CollectionKey) => ({
  pk: `${collectionPartition(key)}#counter`,
  sk: 'counter',
});

/** Beside the counter, and not in its item, which every mint of the collection writes. */
export const fenceKey = ({ firstTokenId, ...key }: CollectionKey & { readonly firstTokenId: string }) => ({
  pk: counterKey(key).pk,
  sk: `fence#${padded(firstTokenId)}`,
});

export const nftKey = ({
  application,
  contract,
  tokenId,
}: Pick<Nft, 'application' | 'contract' | 'tokenId'>) => ({
  pk: collectionPartition({ application, contract }),
  sk: padded(tokenId),
});

export const entryKey = ({ signer, nonce }: { readonly signer: string; readonly nonce: number }) => ({
  pk: signer,
  sk: padded(nonce),
});

/**
 * Partitions of the log's index for entries that change a collection. `deploy` made it; `contract` has changes of the
 * whole collection, by time; `tokens` are ordered by the range of their ids. Mints and noop transactions are not
 * indexed: each token knows its own.
 */
export const changeKey = {
  deploy: (at: number) => `deploy#${padded(at)}`,
  contract: (at: number) => `contract#${padded(at)}`,
  tokens: ({ from, to, at }: { readonly from: string; readonly to: string; readonly at: number }) =>
    `tokens#${padded(from)}#${padded(to)}#${padded(at)}`,
};

/** All ranges of tokens that begin at ids from `first` to `last`. */
export const changeKeysOfTokens = ({ first, last }: { readonly first: number; readonly last: number }) => ({
  from: `tokens#${padded(first)}`,
  to: `tokens#${padded(last + 1)}`,
});

export const claimKey = ({ application, operation, key }: ClaimScope) => ({
  pk: `KEY#${application}#${key}`,
  sk: operation,
});

export const contractItem = (contract: Contract) => ({
  ...contractKey(contract),
  listed: `${contract.createdAt}#${contract.address}`,
  ...contract,
});

/** Every field that a token's metadata may have, empty. */
const nothing: Omit<NftMetadata, 'name'> = {
  description: null,
  image: null,
  image_preview: null,
  image_thumbnail: null,
  background_color: null,
  animation_url: null,
  youtube_url: null,
  attributes: [],
};

/**
 * A token's metadata as one text: nothing reads a part of it, and a dozen nested attributes of each token take longer
 * to read than the rest of a page. Absent fields, mostly half of a token, are left out.
 */
export const metadataText = ({ attributes, ...fields }: NftMetadata): string =>
  JSON.stringify({ ...withoutNulls(fields), ...(attributes.length > 0 && { attributes }) });

/** Application, contract and number are only in the key: each attribute of a list's tokens takes time to read. */
export const nftItem = ({ application, contract, tokenId, metadata, ...nft }: Nft) => ({
  ...nftKey({ application, contract, tokenId }),
  ...nft,
  metadata: metadataText(metadata),
});

/** Also reads items of older releases, which repeat their key as attributes and have nested metadata. */
export const nftOf = ({ pk, sk, ...item }: Record<string, unknown>): Nft => {
  const [application, contract] = String(pk).split(/#(?=[^#]*$)/);
  const { metadata } = item;
  return nftSchema.parse({
    ...item,
    application,
    contract,
    tokenId: String(Number(sk)),
    metadata: typeof metadata === 'string' ? { ...nothing, ...JSON.parse(metadata) } : metadata,
  });
};
