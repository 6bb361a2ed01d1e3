import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { entryItem } from '../../../shared/nft/store/transaction-items.ts';
import type { Entry } from '../../../shared/nft/transactions/entry.ts';

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

/** A value in the format of a DynamoDB stream record. */
const worded = (value: unknown): Image[string] => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return { L: value.map(worded) };
  if (value === null) return { NULL: true };
  return { M: imageOf(value as object) };
};

const imageOf = (item: object): Image =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, worded(value)]])),
  );

const applicationId = 'one';
const contract = '0x00000000000000000000000000000000000000cc';

/** A mint whose outcome is final. */
export const aDecidedEntry = ({
  tokens = 1,
  ...overrides
}: Partial<Entry> & { tokens?: number } = {}): Entry => ({
  signer: '31337#0x00000000000000000000000000000000000000aa',
  nonce: 7,
  purpose: {
    kind: 'mint',
    applicationId,
    contract,
    firstTokenId: '1',
    destinations: Array.from({ length: tokens }, () => '0x00000000000000000000000000000000000000ee' as const),
  },
  gas: 160_000n,
  attempts: [{ hash: '0xab', raw: '0x02', maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, signedAt: 1 }],
  status: 'confirmed',
  minedHash: '0xab',
  missingLooks: 0,
  decidedAt: 1_800_000_000_123,
  ...overrides,
});

/** A stream record of the transaction log's table, written when the entry's outcome became final. */
export const aDecisionRecord = (entry: Parameters<typeof aDecidedEntry>[0] = {}): DynamoDBRecord => {
  const item = imageOf(entryItem(aDecidedEntry(entry)));
  const { pk = { S: '' }, sk = { S: '' } } = item;
  return {
    eventID: randomUUID(),
    eventName: 'MODIFY',
    eventSource: 'aws:dynamodb',
    dynamodb: {
      Keys: { pk, sk },
      OldImage: { ...item, status: { S: 'pending' } },
      NewImage: item,
      SequenceNumber: '100',
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  };
};
