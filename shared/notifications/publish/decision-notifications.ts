import { type Address, checksummed } from '../../chain/hex.ts';
import type { LoggedEntry } from '../../nft/transactions/entry.ts';
import { type ByKind, byKind, type PurposeOf } from '../../nft/transactions/purpose.ts';
import { changeTime } from '../../platform/time/date-time.ts';
import { type ToldKind, type ToldStatus, toldKinds, toldStatuses } from '../../platform/watched.ts';
import type { ChainMessage, MessagePart, Notification } from '../messages/message.ts';

interface Subject {
  /**
   * The tokens that the decision is about. They have consecutive ids. @default none: the decision is about the contract
   */
  readonly tokens?: { readonly first: string; readonly count: number };
  /**
   * The part of the contract or tokens that the transaction changes. Absent if the transaction creates the contract or
   * tokens.
   */
  readonly part?: MessagePart;
}

export interface Decision extends Subject {
  readonly applicationId: string;
  readonly contract: Address;
  readonly status: ToldStatus;
  readonly transactionHash: string;
  readonly failureReason?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly decidedAt: number;
}

type ToldPurpose = PurposeOf<ToldKind>;

export const isTold = (purpose: LoggedEntry['purpose']): purpose is ToldPurpose =>
  toldKinds.some((kind) => kind === purpose.kind);

const isToldStatus = (status: LoggedEntry['status']): status is ToldStatus =>
  toldStatuses.some((told) => told === status);

const subjects: ByKind<Subject, ToldKind> = {
  deploy: () => ({}),
  mint: ({ firstTokenId, destinations }) => ({ tokens: { first: firstTokenId, count: destinations.length } }),
  claim: ({ tokenId }) => ({ part: 'claim', tokens: { first: tokenId, count: 1 } }),
  'update-metadata': ({ from: first, to }) => ({
    part: 'metadata',
    tokens: { first, count: Number(to) - Number(first) + 1 },
  }),
  'update-contract-metadata': () => ({ part: 'metadata' }),
  'set-royalty': () => ({ part: 'royalty' }),
  revoke: ({ tokenId }) => ({ part: 'revocation', tokens: { first: tokenId, count: 1 } }),
};

interface Decided extends Pick<Decision, 'status' | 'transactionHash' | 'failureReason' | 'decidedAt'> {
  readonly purpose: ToldPurpose;
}

export const decisionAbout = ({ purpose, ...decided }: Decided): Decision => {
  const { applicationId, contract } = purpose;
  return { applicationId, contract, ...byKind(subjects, purpose), ...decided };
};

/**
 * The final outcome that customers are notified of. `undefined` if the entry is still pending, or if customers are not
 * notified of transactions with this purpose.
 */
export const decisionOf = (entry: LoggedEntry): Decision | undefined => {
  const { purpose, status, minedHash, failureReason, decidedAt } = entry;
  if (!isToldStatus(status) || minedHash === undefined || decidedAt === undefined) return undefined;
  if (!isTold(purpose)) return undefined;
  return decisionAbout({ purpose, status, transactionHash: minedHash, failureReason, decidedAt });
};

/**
 * The notifications of a decision: one for each token, or one for the contract. The same decision always gives the same
 * notifications.
 */
export const notificationsOfDecision = ({
  applicationId,
  contract,
  tokens,
  part,
  status,
  transactionHash,
  failureReason,
  decidedAt,
}: Decision): Notification[] => {
  const decided = {
    contractAddress: checksummed(contract),
    part,
    status,
    transactionHash,
    failureReason,
    dateTime: changeTime({ milliseconds: decidedAt }),
  };
  const messages: ChainMessage[] =
    tokens === undefined
      ? [{ operationType: 'contract_update', ...decided }]
      : Array.from({ length: tokens.count }, (_, index) => ({
          operationType: 'token_update',
          tokenId: String(Number(tokens.first) + index),
          ...decided,
        }));
  return messages.map((message) => ({ applicationId, message }));
};
