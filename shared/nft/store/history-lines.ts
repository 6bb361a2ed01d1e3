import { type Address, addressSchema } from '../../chain/hex.ts';
import { tellLaterData } from '../../platform/later-data.ts';
import {
  conditionHeld,
  queryPages,
  type Table,
  transactionWritesAtMost,
} from '../../platform/store/client.ts';
import { readLimit } from '../../platform/store/read-page.ts';
import { type Line, storedLineSchema } from '../history/line.ts';
import type { HistoryLines } from '../ports/history-lines.ts';
import { nobody } from '../reservations/stand-in.ts';
import type { Nft } from '../tokens/nft.ts';
import { padded, type Write } from './nft-items.ts';

/**
 * The key begins with the contract alone, so that a token can be made void without knowing its application. Lines about
 * several tokens are apart from the others: a query for one token must look at those of the tokens before it.
 */
const lineKey = ({ contract, tokens: { from, to }, at, what, count }: Line) => ({
  pk: contract,
  sk: `${tokensKey(from, to)}${padded(at)}#${what}#${padded(count)}`,
});

const tokensKey = (from: string, to: string): string =>
  from === to ? `token#${padded(from)}#` : `tokens#${padded(from)}#${padded(to)}#`;

/** `giver` is the partition key of an index, which has only these lines. */
const lineItem = (line: Line) => {
  const { at, what, versions, given, by } = line;
  return {
    ...lineKey(line),
    at,
    what,
    ...(versions !== undefined && { versions }),
    ...(given !== undefined && { giver: given.from, receiver: given.to }),
    ...(by !== undefined && { by }),
  };
};

/** The write of a line, for the transaction that makes what the line tells. */
export const putLine = (TableName: string, line: Line): Write => ({
  Put: { TableName, Item: lineItem(line) },
});

/** The attributes of a line that name users. */
const userAttributes = ['giver', 'receiver'] as const;

/** A line in which `nobody` stands where a user was who is not to be named. */
export const naming = async (
  line: Readonly<Record<string, unknown>>,
  isNamed: (standIn: Address) => Promise<boolean>,
): Promise<Record<string, unknown>> => {
  const named = { ...line };
  for (const attribute of userAttributes) {
    const { success, data: user } = addressSchema.safeParse(line[attribute]);
    if (success && !(await isNamed(user))) named[attribute] = nobody;
  }
  return named;
};

/** Removes a user from the lines of a token. May be repeated. */
export const forgetInLines = async (
  { client, tableName }: Table,
  { contract, tokenId, user }: Pick<Nft, 'contract' | 'tokenId'> & { readonly user: Address },
): Promise<void> => {
  const pages = queryPages(client, {
    TableName: tableName,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :token)',
    ExpressionAttributeValues: { ':pk': contract, ':token': tokensKey(tokenId, tokenId) },
  });
  for await (const { Items = [] } of pages) {
    for (const { pk, sk, ...line } of Items) {
      for (const attribute of userAttributes.filter((each) => line[each] === user)) {
        await conditionHeld(
          client.update({
            TableName: tableName,
            Key: { pk, sk },
            UpdateExpression: `SET ${attribute} = :nobody`,
            ConditionExpression: `${attribute} = :user`,
            ExpressionAttributeValues: { ':user': user, ':nobody': nobody },
          }),
        );
      }
    }
  }
};

const tokensOf = (sk: unknown): Line['tokens'] => {
  const [kind, from = '', to = ''] = String(sk).split('#');
  return { from: numberText(from), to: numberText(kind === 'token' ? from : to) };
};

const timeOf = (sk: unknown): number => Number(String(sk).split('#').at(-3));

/** Ids of other collections than the service's have up to 78 digits. */
const numberText = (text: string): string => BigInt(text).toString();

/** A line of a kind that only a later release knows is left out. */
const linesOf = (item: Record<string, unknown>): Line[] => {
  const stored = storedLineSchema.safeParse(item);
  if (!stored.success) {
    tellLaterData({
      kind: 'line of a history',
      id: `${item.pk} ${item.sk}`,
      unknown: { what: item.what, issues: stored.error.issues },
    });
    return [];
  }
  const { giver, receiver, ...line } = stored.data;
  const isGiven = giver !== undefined && receiver !== undefined;
  return [
    {
      ...line,
      contract: addressSchema.parse(item.pk),
      tokens: tokensOf(item.sk),
      count: Number(String(item.sk).split('#').at(-1)),
      ...(isGiven && { given: { from: giver, to: receiver } }),
    },
  ];
};

export const tokenOfLine = ({ pk, sk }: Readonly<Record<string, unknown>>) => ({
  contract: addressSchema.parse(pk),
  tokenId: tokensOf(sk).from,
});

/** The query for the tokens that a user has given away, by ids. A line about a gift is about one token. */
export const givenLines = ({
  giver,
  lastId,
}: {
  readonly giver: Address;
  /** The highest id, as keys have it. @default any */
  readonly lastId: string | undefined;
}) => ({
  IndexName: 'by_giver',
  KeyConditionExpression: `giver = :giver${lastId === undefined ? '' : ' AND sk <= :last'}`,
  ExpressionAttributeValues: {
    ':giver': giver,
    // Sorts after all lines of this token.
    ...(lastId !== undefined && { ':last': `${tokensKey(lastId, lastId)}~` }),
  },
});

const inOrder = (one: Line, other: Line): number => one.at - other.at || one.count - other.count;

export const dynamoDbHistoryLines = ({ client, tableName }: Table): HistoryLines => {
  const query = (contract: Address, condition: string, values: Readonly<Record<string, unknown>>) =>
    queryPages(client, {
      TableName: tableName,
      ConsistentRead: true,
      ScanIndexForward: false,
      KeyConditionExpression: `pk = :pk AND ${condition}`,
      ExpressionAttributeValues: { ':pk': contract, ...values },
    });

  const ofOneToken = async (contract: Address, tokenId: string, limit: number): Promise<Line[]> => {
    const lines: Line[] = [];
    const pages = query(contract, 'begins_with(sk, :token)', { ':token': tokensKey(tokenId, tokenId) });
    for await (const { Items = [] } of pages) {
      lines.push(...Items.flatMap(linesOf));
      if (lines.length >= readLimit(limit)) break;
    }
    return lines;
  };

  /**
   * One write has stored all tokens of a line. So a line whose first id is lower than `first` cannot have this token.
   */
  const ofRanges = async (contract: Address, tokenId: string): Promise<Line[]> => {
    const id = Number(tokenId);
    const first = Math.max(0, id - transactionWritesAtMost + 1);
    const lines: Line[] = [];
    const pages = query(contract, 'sk BETWEEN :first AND :last', {
      ':first': `tokens#${padded(first)}`,
      ':last': `tokens#${padded(id + 1)}`,
    });
    for await (const { Items = [] } of pages) {
      lines.push(...Items.flatMap(linesOf).filter(({ tokens: { to } }) => Number(to) >= id));
    }
    return lines;
  };

  return {
    ofToken: async ({ contract, tokenId, limit }) => {
      const found = await Promise.all([ofOneToken(contract, tokenId, limit), ofRanges(contract, tokenId)]);
      const lines = found.flat().toSorted(inOrder);
      return { lines: lines.slice(-limit), isMore: lines.length > limit };
    },

    givenBy: async ({ giver, limit }) => {
      const { Items = [] } = await client.query({
        TableName: tableName,
        ...givenLines({ giver, lastId: undefined }),
        ScanIndexForward: false,
        Limit: limit,
      });
      return Items.map((item) => ({ ...tokenOfLine(item), at: timeOf(item.sk) }));
    },
  };
};
