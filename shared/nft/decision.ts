import type { ChainMessage, MessagePart, Notification } from '../notifications/message.ts';
import { changeTime } from '../platform/date-time.ts';
import { toldKinds } from '../platform/watched.ts';
import type { LoggedEntry, Purpose } from './entry.ts';
import { type Address, checksummed } from './hex.ts';

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
  readonly application: string;
  readonly contract: Address;
  readonly status: 'confirmed' | 'failed';
  readonly transactionHash: string;
  readonly failureReason?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly decidedAt: number;
}

type ToldPurpose =
  | { readonly kind: 'deploy' | 'update-contract-metadata' | 'set-royalty' }
  | { readonly kind: 'mint'; readonly firstTokenId: string; readonly destinations: readonly unknown[] }
  | { readonly kind: 'update-metadata'; readonly from: string; readonly to: string }
  | { readonly kind: 'revoke'; readonly tokenId: string };

const isTold = (purpose: LoggedEntry['purpose']): purpose is Extract<Purpose, ToldPurpose> =>
  toldKinds.some((kind: ToldPurpose['kind']) => kind === purpose.kind);

const subjectOf = (purpose: ToldPurpose): Subject => {
  switch (purpose.kind) {
    case 'deploy':
      return {};
    case 'mint':
      return { tokens: { first: purpose.firstTokenId, count: purpose.destinations.length } };
    case 'update-metadata': {
      const { from: first, to } = purpose;
      return { part: 'metadata', tokens: { first, count: Number(to) - Number(first) + 1 } };
    }
    case 'update-contract-metadata':
      return { part: 'metadata' };
    case 'set-royalty':
      return { part: 'royalty' };
    case 'revoke':
      return { part: 'revocation', tokens: { first: purpose.tokenId, count: 1 } };
  }
};

interface Decided extends Pick<Decision, 'status' | 'transactionHash' | 'failureReason' | 'decidedAt'> {
  readonly purpose: ToldPurpose & Pick<Decision, 'application' | 'contract'>;
}

export const decisionAbout = ({ purpose, ...decided }: Decided): Decision => {
  const { application, contract } = purpose;
  return { application, contract, ...subjectOf(purpose), ...decided };
};

/**
 * The final outcome that customers are notified of. `undefined` if the entry is still pending, or if customers are not
 * notified of transactions with this purpose.
 */
export const decisionOf = (entry: LoggedEntry): Decision | undefined => {
  const { purpose, status, minedHash, failureReason, decidedAt } = entry;
  if ((status !== 'confirmed' && status !== 'failed') || minedHash === undefined || decidedAt === undefined) {
    return undefined;
  }
  if (!isTold(purpose)) return undefined;
  return decisionAbout({ purpose, status, transactionHash: minedHash, failureReason, decidedAt });
};

/**
 * The notifications of a decision: one for each token, or one for the contract. The same decision always gives the same
 * notifications.
 */
export const notificationsOfDecision = ({
  application: applicationId,
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
    ...(part === undefined ? {} : { part }),
    status,
    transactionHash,
    ...(failureReason === undefined ? {} : { failureReason }),
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
