/** The decision about a transaction at finality, as customers are told it. */
import * as z from 'zod';
import { changeTime } from '../date-time.ts';
import type { ChainMessage, MessagePart, Notification } from '../notifications/message.ts';
import { toldKinds } from '../watched.ts';
import type { Entry, Purpose } from './entry.ts';
import { type Address, addressSchema, checksummed, hexSchema } from './hex.ts';

interface Subject {
  /** Tokens with consecutive ids; without them it is about the contract. */
  readonly tokens?: { readonly first: string; readonly count: number };
  /** Without one it is about the contract or the tokens as a whole. */
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

/** What customers are told about. */
type ToldPurpose =
  | { readonly kind: 'deploy' | 'update-contract-metadata' | 'set-royalty' }
  | { readonly kind: 'mint'; readonly firstTokenId: string; readonly destinations: readonly unknown[] }
  | { readonly kind: 'update-metadata'; readonly from: string; readonly to: string }
  | { readonly kind: 'revoke'; readonly tokenId: string };

const isTold = (purpose: Purpose): purpose is Extract<Purpose, ToldPurpose> =>
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

/** `undefined` for an entry that is undecided, or that makes nothing customers are told about. */
export const decisionOf = (entry: Entry): Decision | undefined => {
  const { purpose, status, minedHash, failureReason, decidedAt } = entry;
  if ((status !== 'confirmed' && status !== 'failed') || minedHash === undefined || decidedAt === undefined) {
    return undefined;
  }
  if (!isTold(purpose)) return undefined;
  const { application, contract } = purpose;
  const decided = { status, transactionHash: minedHash, failureReason, decidedAt };
  return { application, contract, ...subjectOf(purpose), ...decided };
};

/** One message for each token, or one for the contract. The same decision always gives the same messages. */
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

/** A text in the form of a table's stream. */
const text = <Text>(schema: z.ZodType<Text>) => z.object({ S: schema }).transform(({ S }) => S as Text);
const someText = text(z.string().min(1));

const collection = { application: someText, contract: text(addressSchema) };

const purposeSchema = z.union([
  z.object({ ...collection, kind: text(z.enum(['deploy', 'update-contract-metadata', 'set-royalty'])) }),
  z.object({
    ...collection,
    kind: text(z.literal('mint')),
    firstTokenId: someText,
    destinations: z.object({ L: z.array(z.unknown()).min(1) }).transform(({ L }) => L),
  }),
  z.object({ ...collection, kind: text(z.literal('update-metadata')), from: someText, to: someText }),
  z.object({ ...collection, kind: text(z.literal('revoke')), tokenId: someText }),
]);

/** An entry of the transaction log in the form of its table's stream. */
const recordSchema = z.object({
  dynamodb: z.object({
    Keys: z.object({ pk: someText, sk: someText }),
    NewImage: z.object({
      purpose: z.object({ M: purposeSchema }),
      status: text(z.enum(['confirmed', 'failed'])),
      minedHash: text(hexSchema),
      failureReason: someText.optional(),
      decidedAt: z.object({ N: z.string().transform(Number) }),
    }),
  }),
});

const keysSchema = z.object({ dynamodb: z.object({ Keys: z.object({ pk: z.unknown(), sk: z.unknown() }) }) });

/**
 * The decision in a record of the log's stream; `undefined` when the record is from another table.
 *
 * @throws for a record of the log that holds no decision.
 */
export const notificationsInRecord = (record: unknown): readonly Notification[] | undefined => {
  if (!keysSchema.safeParse(record).success) return undefined;
  const { purpose, status, minedHash, failureReason, decidedAt } =
    recordSchema.parse(record).dynamodb.NewImage;
  const { application, contract } = purpose.M;
  return notificationsOfDecision({
    application,
    contract,
    ...subjectOf(purpose.M),
    status,
    transactionHash: minedHash,
    failureReason,
    decidedAt: decidedAt.N,
  });
};
