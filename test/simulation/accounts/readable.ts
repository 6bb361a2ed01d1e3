/**
 * The promise that who was erased is readable nowhere: each stored item of each table is searched for what tells who an
 * ended registration was. What may stay, and why, is one row each in `exceptions`.
 */
import type { Address } from '../../../shared/chain/hex.ts';
import { reservationHolder } from '../../../shared/nft/reservations/holder.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import type { Item } from '../expressions.ts';
import type { Registration } from './people.ts';

const kinds = ['sub', 'hash of the sub', 'registration', 'identifier', 'holder', 'data', 'wallet'] as const;
type Kind = (typeof kinds)[number];

interface Found {
  readonly item: Item;
  readonly kind: Kind;
  readonly registration: Registration;
  /** Whether this token has been claimed for the user, so that its log names a wallet of the user. */
  readonly wasClaimed: WasClaimed;
  /** Whether the user is registered again. */
  readonly isRegistered: boolean;
}

type WasClaimed = (
  token: { readonly contract: Address; readonly tokenId: string },
  registration: Registration,
) => boolean;

interface Exception {
  readonly table: string;
  readonly kinds: readonly Kind[];
  readonly may: (found: Found) => boolean;
  readonly why: string;
}

const startsWith =
  (prefix: string) =>
  ({ item }: Found): boolean =>
    String(item.pk).startsWith(prefix);
const ends = (item: Item): boolean => typeof item.expires_at === 'number';
const isOfAnother = ({ item, registration }: Found): boolean =>
  typeof item.registration_id === 'string' && item.registration_id !== registration.id;
/** Not of a registration that never began. */
const isOfWhoIsBack = (found: Found): boolean => isOfAnother(found) && found.isRegistered;
const isToken = ({ item }: Found): boolean => typeof item.status === 'string';
/** Of a token that was never claimed for the user. */
const isUnclaimed = ({ item, registration, wasClaimed }: Found): boolean => {
  const contract = String(item.pk).split('#').at(-1) as Address;
  return !wasClaimed({ contract, tokenId: String(Number(item.sk)) }, registration);
};
/** Of a token that was never claimed for the user. Lines of several tokens name nobody. */
const isLineOfUnclaimed = ({ item, registration, wasClaimed }: Found): boolean => {
  const [, id] = String(item.sk).split('#');
  return !wasClaimed({ contract: item.pk as Address, tokenId: String(Number(id)) }, registration);
};

export const exceptions: readonly Exception[] = [
  {
    table: 'Users',
    kinds: ['sub', 'registration'],
    may: ({ item }) => item.is_removed === true && ends(item),
    why: 'the tombstone, for thirty days: late writes must not bring the user back',
  },
  {
    table: 'Users',
    kinds: ['sub', 'data'],
    may: (found) => isOfAnother(found) && found.item.is_removed !== true,
    why: 'the user has registered again, and may say the same',
  },
  {
    table: 'ApplicationUserSubs',
    kinds: ['sub', 'registration', 'identifier'],
    may: ({ item }) => ends(item),
    why: 'the identifiers, for thirty days: applications ask for them and read that the user is gone',
  },
  {
    table: 'ApplicationUserSubs',
    kinds: ['sub'],
    may: isOfWhoIsBack,
    why: 'the user has registered again',
  },
  {
    table: 'Wallets',
    kinds: ['registration'],
    may: (found) => startsWith('ENDED#')(found) && ends(found.item),
    why: 'the mark that the registration has ended, for thirty days',
  },
  {
    table: 'Wallets',
    kinds: ['hash of the sub', 'registration'],
    may: ({ item }) => item.freed_at !== undefined && ends(item),
    why: 'the end of a link, for thirty days: the wallet opens nothing for the next user before it may',
  },
  {
    table: 'Wallets',
    kinds: ['sub', 'hash of the sub', 'wallet'],
    may: isOfAnother,
    why: 'the user has registered again, or another user has linked the wallet',
  },
  {
    table: 'Wallets',
    kinds: ['sub', 'registration', 'wallet'],
    may: (found) => startsWith('CHALLENGE#')(found) && ends(found.item),
    why: 'a challenge that nobody used, until it expires',
  },
  {
    table: 'Wallets',
    kinds: ['hash of the sub'],
    may: (found) => startsWith('HOUR#')(found) && ends(found.item),
    why: 'the count of an hour’s challenges, until it expires',
  },
  {
    table: 'Nfts',
    kinds: ['identifier', 'holder'],
    may: (found) => isToken(found) && found.item.status === 'reserved' && isUnclaimed(found),
    why: 'a reserved token is the customer’s, who gives it to another user',
  },
  {
    table: 'Nfts',
    kinds: ['identifier'],
    may: (found) => isToken(found) && found.item.status === 'failed' && isUnclaimed(found),
    why: 'a reservation that was revoked: no wallet was bound to it',
  },
  {
    table: 'Nfts',
    kinds: ['wallet'],
    may: isToken,
    why: 'where a token was minted to is on the chain',
  },
  {
    table: 'Transactions',
    kinds: ['wallet'],
    may: () => true,
    why: 'what was sent is on the chain',
  },
  {
    table: 'TokenHistory',
    kinds: ['identifier'],
    may: isLineOfUnclaimed,
    why: 'a line names identifiers, about which the service tells nothing after the end',
  },
  {
    table: 'Requests',
    kinds: ['holder'],
    may: ({ item }) => typeof item.expiresAt === 'number',
    why: 'the lease of a claim that died, until it expires',
  },
  {
    table: 'Notifications',
    kinds: ['identifier'],
    may: ({ item }) => ends(item),
    why: 'the record of notifications, for thirty days',
  },
];

/** Every text of an item, also of its maps, lists and sets, and of the names in its maps. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (value instanceof Set) return [...value].flatMap(textsOf);
  return Object.entries(value).flatMap(([name, one]) => [name, ...textsOf(one)]);
};

/** What tells who a registration is. */
export const tellingTexts = (
  { id, userSub, data, identifiers, wallets }: Registration,
  contracts: readonly Address[],
): Readonly<Record<Kind, readonly string[]>> => ({
  sub: [userSub],
  'hash of the sub': [holderOf(userSub)],
  registration: [id],
  identifier: [...identifiers.values()],
  holder: contracts.map((contract) => reservationHolder({ registrationId: id, contract })),
  data: [...data],
  wallet: [...wallets],
});

/** The texts of an error, of its causes, and of whatever else is logged. */
const loggedTexts = (value: unknown): string[] =>
  value instanceof Error
    ? [value.message, ...loggedTexts(value.cause), ...Object.values(value).flatMap(loggedTexts)]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(loggedTexts)
      : [String(value)];

/** What a line of a log tells of a registration, whether it has ended or not: logs are kept for long. */
export const readableInLog = (
  registration: Registration,
  { message, fields }: { readonly message: string; readonly fields: object },
): string[] => {
  const text = [message, ...loggedTexts(fields)].join('\n').toLowerCase();
  const telling = tellingTexts(registration, []);
  return kinds
    .filter((kind) => telling[kind].some((one) => text.includes(one.toLowerCase())))
    .map((kind) => `The ${kind} of ${registration.userSub} stands in the log: ${message}`);
};

/** What still tells who the registration was, if it has ended. */
export const stillReadable = (
  registration: Registration,
  {
    tables,
    contracts,
    wasClaimed = () => false,
    isRegistered,
  }: {
    readonly tables: Readonly<Record<string, readonly Item[]>>;
    readonly contracts: readonly Address[];
    /** @default no token was */
    readonly wasClaimed?: WasClaimed;
    readonly isRegistered: (userSub: string) => boolean;
  },
): string[] => {
  if (registration.endedAt === undefined) return [];
  const telling = tellingTexts(registration, contracts);
  return Object.entries(tables).flatMap(([table, items]) =>
    items.flatMap((item) => {
      const text = textsOf(item).join('\n').toLowerCase();
      return kinds
        .filter((kind) => telling[kind].some((one) => text.includes(one.toLowerCase())))
        .filter(
          (kind) =>
            !exceptions.some(
              (exception) =>
                exception.table === table &&
                exception.kinds.includes(kind) &&
                exception.may({
                  item,
                  kind,
                  registration,
                  wasClaimed,
                  isRegistered: isRegistered(registration.userSub),
                }),
            ),
        )
        .map(
          (kind) =>
            `The ${kind} of ${registration.userSub}, who was removed, stands in ${table} ${item.pk ?? ''} ${item.sk ?? ''}`,
        );
    }),
  );
};
