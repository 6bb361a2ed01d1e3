import { type Address, checksummed } from '../../../shared/chain/hex.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import type { Contracts } from '../../../shared/nft/ports/contracts.ts';
import type { Nfts } from '../../../shared/nft/ports/nfts.ts';
import { applicationUserSubOf, unminted } from '../../../shared/nft/reservations/stand-in.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { messageParts } from '../../../shared/notifications/messages/message.ts';
import { transactionPage } from '../../nft/chain/explorer.ts';
import { burnStatuses } from '../../nft/contracts/contract-record.ts';
import { type ChangeTimelineDependencies, changeMoments } from './change-moments.ts';
import { entryMoments } from './entry-timeline.ts';
import { type HistoryTimelineDependencies, historyMoments } from './history-moments.ts';
import { chainSubjects, type SubjectDependencies, sentMoments } from './notification-moments.ts';
import { inTime, moment, type TimedMoment, type Timeline, unknown } from './timeline.ts';

export interface CollectionTimelineDependencies
  extends ChangeTimelineDependencies,
    HistoryTimelineDependencies,
    SubjectDependencies {
  readonly contracts: Pick<Contracts, 'findPublic'>;
  readonly nfts: Pick<Nfts, 'find' | 'list'>;
}

const newestTokens = 5;

const madeBy = async (
  dependencies: CollectionTimelineDependencies,
  {
    signer,
    nonce,
    createdAt,
  }: { readonly signer: string; readonly nonce: number; readonly createdAt: string },
): Promise<TimedMoment[]> => {
  const entry = await dependencies.transactionLog.find({ signer, nonce });
  return entry === undefined
    ? [moment(createdAt, 'accepted'), unknown(`the transaction log has no entry for nonce ${nonce}`)]
    : entryMoments(dependencies, entry);
};

/** The notifications that the application got about a contract or token, and about its royalty or metadata. */
const toldMoments = async (
  dependencies: SubjectDependencies,
  {
    applicationId,
    ...about
  }: { readonly applicationId: string; readonly contractAddress: string; readonly tokenId?: string },
): Promise<TimedMoment[]> => {
  const subjects = [about, ...messageParts.map((part) => ({ ...about, part }))].flatMap(chainSubjects);
  const told = await Promise.all(
    subjects.map((message) => sentMoments(dependencies, { applicationId, message })),
  );
  return told.flat();
};

export const contractTimeline = async (
  dependencies: CollectionTimelineDependencies,
  contract: Contract,
): Promise<Timeline> => {
  const { applicationId, name, symbol, status, failureReason, signer, nonce, royaltyChange, metadataChange } =
    contract;
  const address = checksummed(contract.address);
  const collection = { applicationId, contract: contract.address };
  const known = [royaltyChange, metadataChange].flatMap((change) => change ?? []);
  const [made, changes, told, tokens] = await Promise.all([
    madeBy(dependencies, contract),
    changeMoments(dependencies, {
      read: (all) => all.ofContract(collection),
      known: known.map((change) => ({ signer, nonce: change.nonce })),
    }),
    toldMoments(dependencies, { applicationId, contractAddress: address }),
    dependencies.nfts.list({ ...collection, limit: newestTokens }),
  ]);
  return {
    kind: 'contract',
    id: address,
    fields: {
      status,
      failure_reason: failureReason,
      application: applicationId,
      name,
      symbol,
      signer,
      nonce,
      royalty_nonce: royaltyChange?.nonce,
    },
    moments: inTime([
      ...made,
      ...changes,
      ...tokens.items.toReversed().map((nft) => moment(nft.createdAt, `token ${nft.tokenId} was accepted`)),
      ...told,
    ]),
    related: [applicationId, ...tokens.items.map(({ tokenId }) => `${address}/${tokenId}`)],
    commands: [`contracts show ${address}`, `transactions show ${nonce} --signer ${signer.split('#')[1]}`],
  };
};

const tokenTimeline = async (
  dependencies: CollectionTimelineDependencies,
  { contract, nft }: { readonly contract: Contract; readonly nft: Nft },
): Promise<Timeline> => {
  const { tokenId, status, failureReason, destination, metadata, nonce, transactionHash } = nft;
  const { applicationId, signer } = contract;
  const user = nft.reservedFor && applicationUserSubOf(nft.reservedFor);
  const isMinted = nonce !== unminted.nonce;
  // The claim of a reserved token is one of its changes, so its transaction is among them.
  const isClaimed = isMinted && user !== undefined;
  const address = checksummed(contract.address);
  const collection = { applicationId, contract: contract.address };
  const [happened, made, changes, told] = await Promise.all([
    historyMoments(dependencies, { nft, contract }),
    isMinted && !isClaimed ? madeBy(dependencies, { signer, nonce, createdAt: nft.createdAt }) : [],
    changeMoments(dependencies, {
      read: (all) => all.ofToken({ ...collection, tokenId }),
      known: isClaimed ? [{ signer, nonce }] : [],
    }),
    toldMoments(dependencies, { applicationId, contractAddress: address, tokenId }),
  ]);
  return {
    kind: 'token',
    id: `${address}/${tokenId}`,
    fields: {
      status,
      failure_reason: failureReason,
      application: applicationId,
      contract: `${contract.name} (${contract.status})`,
      name: metadata.name,
      ...burnStatuses(nft),
      reserved_for: user,
      ...(isMinted && {
        destination: checksummed(destination),
        nonce,
        transaction: transactionHash,
        explorer: transactionHash && transactionPage(dependencies.explorer, transactionHash),
      }),
    },
    moments: inTime([
      ...happened.begin,
      ...made,
      ...(contract.status === 'failed'
        ? [
            moment(
              undefined,
              `the deployment of the token's contract failed: ${contract.failureReason ?? 'the reason is unknown'}`,
            ),
          ]
        : []),
      ...(status === 'failed' && contract.status !== 'failed' && contract.nonce > nonce
        ? [
            moment(
              undefined,
              `the contract's deployment was repeated with nonce ${contract.nonce}, so this mint came before it on the chain`,
            ),
          ]
        : []),
      ...changes,
      ...happened.after,
      ...told,
    ]),
    related: [
      address,
      applicationId,
      ...(user === undefined ? [] : [user]),
      ...(isMinted ? [transactionHash] : []),
    ],
    commands: [
      `contracts show ${address}`,
      ...(isMinted ? [`transactions show ${nonce} --signer ${signer.split('#')[1]}`] : []),
    ],
  };
};

export const findContract = async (
  dependencies: CollectionTimelineDependencies,
  address: Address,
): Promise<Timeline | undefined> => {
  const contract = await dependencies.contracts.findPublic(address);
  return contract && contractTimeline(dependencies, contract);
};

export const findToken = async (
  dependencies: CollectionTimelineDependencies,
  { address, tokenId }: { readonly address: Address; readonly tokenId: string },
): Promise<Timeline | undefined> => {
  const contract = await dependencies.contracts.findPublic(address);
  if (contract === undefined) return undefined;
  const { applicationId } = contract;
  const nft = await dependencies.nfts.find({ applicationId, contract: address, tokenId });
  return nft && tokenTimeline(dependencies, { contract, nft });
};
