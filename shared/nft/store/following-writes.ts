/** The writes of items that follow an entry, and what they become when an item is outdated. */
import type { Following } from './conditions.ts';
import type { Write } from './nft-items.ts';

export type ItemKey = Required<Pick<NonNullable<Write['Update']>, 'TableName' | 'Key'>>;

/** The names of items that are outdated. */
export type ItemNames = ReadonlySet<string>;

/** A write of the outcome or of the successor of an entry. */
export interface FollowingWrite {
  readonly write: Write;
  /**
   * Whether this write is refused if its item is outdated. Then the item is one of `ItemNames`, and the write is made
   * anew.
   */
  readonly mayBeOutdated: boolean;
}

export const nameOf = ({ TableName, Key }: Pick<NonNullable<Write['Update']>, 'TableName' | 'Key'>): string =>
  [TableName, Key?.pk, Key?.sk].join(' ');

export const itemOf = ({ Update, ConditionCheck }: Write): string => {
  const place = Update ?? ConditionCheck;
  if (place === undefined) throw new Error('Only an Update or a ConditionCheck names an item');
  return nameOf(place);
};

/** A write that is refused only if the entry itself has changed. */
export const ofEntry = (write: Write): FollowingWrite => ({ write, mayBeOutdated: false });

/** Updates an item that follows the entry with the nonce `before`. Of an outdated one, only checks that it still is. */
export const updateFollowing = (
  {
    item,
    following,
    before,
    names = {},
    update: { expression, names: updateNames = {}, values },
  }: {
    readonly item: ItemKey;
    readonly following: Following;
    readonly before: number;
    /** The names that the conditions need besides `#status`. */
    readonly names?: Readonly<Record<string, string>>;
    readonly update: {
      readonly expression: string;
      readonly names?: Readonly<Record<string, string>>;
      readonly values: Readonly<Record<string, unknown>>;
    };
  },
  outdated: ItemNames | undefined,
): FollowingWrite => {
  const ExpressionAttributeNames = { ...names, '#status': 'status' };
  const ExpressionAttributeValues = { ':pending': 'pending', ':before': before };
  if (outdated?.has(nameOf(item)) === true) {
    const ConditionCheck = {
      ...item,
      ConditionExpression: following.outdated,
      ExpressionAttributeNames,
      ExpressionAttributeValues,
    };
    return { write: { ConditionCheck }, mayBeOutdated: false };
  }
  const Update = {
    ...item,
    UpdateExpression: expression,
    ConditionExpression: following.current,
    ExpressionAttributeNames: { ...ExpressionAttributeNames, ...updateNames },
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ...following.values, ...values },
  };
  return { write: { Update }, mayBeOutdated: true };
};
