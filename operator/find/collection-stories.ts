import type { Contract } from '../../shared/nft/collection/contract.ts';
import type { Nft } from '../../shared/nft/collection/nft.ts';
import { checksummed } from '../../shared/nft/hex.ts';
import type { Address } from '../../shared/nft/ports/chain.ts';
import type { Contracts } from '../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../shared/nft/ports/nfts.ts';
import { type EntryStoryDependencies, entryMoments } from './entry-story.ts';
import { gap, type Moment, moment, type Story } from './story.ts';

export interface CollectionStoryDependencies extends EntryStoryDependencies {
  readonly contracts: Pick<Contracts, 'findPublic'>;
  readonly nfts: Pick<Nfts, 'find' | 'list'>;
}

const newestTokens = 5;

const madeBy = async (
  dependencies: CollectionStoryDependencies,
  {
    signer,
    nonce,
    createdAt,
  }: { readonly signer: string; readonly nonce: number; readonly createdAt: string },
): Promise<Moment[]> => {
  const entry = await dependencies.transactionLog.find({ signer, nonce });
  return entry === undefined
    ? [moment(createdAt, 'accepted'), gap(`the log has no entry of its nonce ${nonce}`)]
    : entryMoments(dependencies, entry);
};

const failure = ({ status, failureReason }: Pick<Contract, 'status' | 'failureReason'>, what: string) =>
  status === 'failed' ? [moment(undefined, `${what} failed: ${failureReason ?? 'nobody knows why'}`)] : [];

export const contractStory = async (
  dependencies: CollectionStoryDependencies,
  contract: Contract,
): Promise<Story> => {
  const { application, name, symbol, status, failureReason, signer, nonce } = contract;
  const address = checksummed(contract.address);
  const [moments, tokens] = await Promise.all([
    madeBy(dependencies, contract),
    dependencies.nfts.list({ application, contract: contract.address, limit: newestTokens }),
  ]);
  return {
    kind: 'contract',
    id: address,
    fields: { status, failure_reason: failureReason, application, name, symbol, signer, nonce },
    moments: [
      ...moments,
      ...failure(contract, 'the contract'),
      ...tokens.items.toReversed().map((nft) => moment(nft.createdAt, `token ${nft.tokenId} was accepted`)),
    ],
    related: [application, ...tokens.items.map(({ tokenId }) => `${address}/${tokenId}`)],
    commands: [`contracts show ${address}`, `transactions show ${nonce} --signer ${signer.split('#')[1]}`],
  };
};

const tokenStory = async (
  dependencies: CollectionStoryDependencies,
  { contract, nft }: { readonly contract: Contract; readonly nft: Nft },
): Promise<Story> => {
  const { tokenId, status, failureReason, destination, metadata, nonce, transactionHash } = nft;
  const { application, signer } = contract;
  const address = checksummed(contract.address);
  const moments = await madeBy(dependencies, { signer, nonce, createdAt: nft.createdAt });
  return {
    kind: 'token',
    id: `${address}/${tokenId}`,
    fields: {
      status,
      failure_reason: failureReason,
      application,
      contract: `${contract.name}, which is ${contract.status}`,
      name: metadata.name,
      destination: checksummed(destination),
      nonce,
      transaction: transactionHash,
    },
    moments: [...moments, ...failure(contract, 'its contract'), ...failure(nft, 'the mint')],
    related: [address, application, transactionHash],
    commands: [`contracts show ${address}`, `transactions show ${nonce} --signer ${signer.split('#')[1]}`],
  };
};

export const findContract = async (
  dependencies: CollectionStoryDependencies,
  address: Address,
): Promise<Story | undefined> => {
  const contract = await dependencies.contracts.findPublic(address);
  return contract && contractStory(dependencies, contract);
};

export const findToken = async (
  dependencies: CollectionStoryDependencies,
  { address, tokenId }: { readonly address: Address; readonly tokenId: string },
): Promise<Story | undefined> => {
  const contract = await dependencies.contracts.findPublic(address);
  if (contract === undefined) return undefined;
  const { application } = contract;
  const nft = await dependencies.nfts.find({ application, contract: address, tokenId });
  return nft && tokenStory(dependencies, { contract, nft });
};
