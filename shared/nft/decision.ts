/** The decision about a transaction at finality, as customers are told it. */
import * as z from 'zod';
import { changeTime } from '../date-time.ts';
import type { ChainMessage, Notification } from '../notifications/message.ts';
import type { Entry } from './entry.ts';
import { type Address, addressSchema, checksummed, hexSchema } from './hex.ts';

export interface Decision {
  readonly application: string;
  readonly contract: Address;
  /** What was made or changed: the contract itself, its royalty, or tokens with consecutive ids. */
  readonly subject:
    | { readonly kind: 'contract' | 'royalty' }
    | { readonly kind: 'tokens'; readonly first: string; readonly count: number };
  readonly status: 'confirmed' | 'failed';
  readonly transactionHash: string;
  readonly failureReason?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly decidedAt: number;
}

/** `undefined` for an entry that is undecided, or that makes nothing customers are told about. */
export const decisionOf = (entry: Entry): Decision | undefined => {
  const { purpose, status, minedHash, failureReason, decidedAt } = entry;
  if ((status !== 'confirmed' && status !== 'failed') || minedHash === undefined || decidedAt === undefined) {
    return undefined;
  }
  const decided = { status, transactionHash: minedHash, failureReason, decidedAt };
  switch (purpose.kind) {
    case 'deploy':
      return { ...decided, ...purpose, subject: { kind: 'contract' } };
    case 'set-royalty':
      return { ...decided, ...purpose, subject: { kind: 'royalty' } };
    case 'mint': {
      const { firstTokenId: first, destinations } = purpose;
      return { ...decided, ...purpose, subject: { kind: 'tokens', first, count: destinations.length } };
    }
    default:
      return undefined;
  }
};

/** One message for each token, or one for the contract. The same decision always gives the same messages. */
export const notificationsOfDecision = ({
  application: applicationId,
  contract,
  subject,
  status,
  transactionHash,
  failureReason,
  decidedAt,
}: Decision): Notification[] => {
  const decided = {
    contractAddress: checksummed(contract),
    status,
    transactionHash,
    ...(failureReason === undefined ? {} : { failureReason }),
    dateTime: changeTime({ milliseconds: decidedAt }),
  };
  const messages: ChainMessage[] =
    subject.kind === 'tokens'
      ? Array.from({ length: subject.count }, (_, index) => ({
          operationType: 'token_update',
          tokenId: String(Number(subject.first) + index),
          ...decided,
        }))
      : [
          {
            operationType: 'contract_update',
            ...(subject.kind === 'royalty' ? { part: 'royalty' } : {}),
            ...decided,
          },
        ];
  return messages.map((message) => ({ applicationId, message }));
};

const text = z.object({ S: z.string().min(1) });
const number = z.object({ N: z.string().transform(Number) });

const purposeSchema = z.object({
  kind: text,
  application: text,
  contract: z.object({ S: addressSchema }),
  firstTokenId: text.optional(),
  destinations: z.object({ L: z.array(z.unknown()).min(1) }).optional(),
});

/** An entry of the transaction log in the form of its table's stream. */
const recordSchema = z.object({
  dynamodb: z.object({
    Keys: z.object({ pk: text, sk: text }),
    NewImage: z.object({
      purpose: z.object({ M: purposeSchema }),
      status: z.object({ S: z.enum(['confirmed', 'failed']) }),
      minedHash: z.object({ S: hexSchema }),
      failureReason: text.optional(),
      decidedAt: number,
    }),
  }),
});

const keysSchema = z.object({ dynamodb: z.object({ Keys: z.object({ pk: z.unknown(), sk: z.unknown() }) }) });

const subjectOf = ({
  kind,
  firstTokenId,
  destinations,
}: z.output<typeof purposeSchema>): Decision['subject'] => {
  if (kind.S === 'deploy') return { kind: 'contract' };
  if (kind.S === 'set-royalty') return { kind: 'royalty' };
  if (kind.S !== 'mint' || firstTokenId === undefined || destinations === undefined) {
    throw new RangeError(`Nobody is told of a transaction of kind ${kind.S}`);
  }
  return { kind: 'tokens', first: firstTokenId.S, count: destinations.L.length };
};

/**
 * The decision in a record of the log's stream; `undefined` when the record is from another table.
 *
 * @throws for a record of the log that holds no decision.
 */
export const notificationsInRecord = (record: unknown): readonly Notification[] | undefined => {
  if (!keysSchema.safeParse(record).success) return undefined;
  const { purpose, status, minedHash, failureReason, decidedAt } =
    recordSchema.parse(record).dynamodb.NewImage;
  return notificationsOfDecision({
    application: purpose.M.application.S,
    contract: purpose.M.contract.S,
    subject: subjectOf(purpose.M),
    status: status.S,
    transactionHash: minedHash.S,
    failureReason: failureReason?.S,
    decidedAt: decidedAt.N,
  });
};
