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

/** Wide enough for every safe integer, so that keys sort as numbers do. */
const padded = (number: number | string): string => String(number).padStart(16, '0');

/** The application comes first, so nobody can address what belongs to another. */
export const contractKey = ({ application, address }: Pick<Contract, 'application' | 'address'>) => ({
  pk: application,
  sk: address,
});

export const collectionPartition = ({ application, contract }: CollectionKey): string =>
  `${application}#${contract}`;

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
 * Where the log's index has an entry that changes a collection: `deploy` made it, `contract` is what concerns it as a
 * whole, in time; `tokens` are ordered by the range of their ids. Mints and fills are not in it: each token knows its
 * own.
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

/** Of what a token may show, all that is not given. */
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
 * What a token shows, as one text: nothing asks the table for a part of it, and a dozen nested attributes of each token
 * take longer to read than all the rest of a page. What is not given is left out, mostly half of a token.
 */
export const metadataText = ({ attributes, ...fields }: NftMetadata): string =>
  JSON.stringify({ ...withoutNulls(fields), ...(attributes.length > 0 && { attributes }) });

/** Application, contract and number are in the key alone: each attribute of a list's tokens takes its time to read. */
export const nftItem = ({ application, contract, tokenId, metadata, ...nft }: Nft) => ({
  ...nftKey({ application, contract, tokenId }),
  ...nft,
  metadata: metadataText(metadata),
});

/** Also of an item from before, which says what is in its key a second time and has nested attributes as metadata. */
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
