/** What the tables of a world say of each registration of a user, from its beginning to its end. */
import type { Address } from '../../../shared/chain/hex.ts';
import { reservationHolder } from '../../../shared/nft/reservations/holder.ts';
import { standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import type { Item } from '../expressions.ts';
import type { Written } from '../past.ts';
import type { Store } from '../store.ts';
import { environment } from './service.ts';

export interface Registration {
  readonly id: string;
  readonly userSub: string;
  readonly beganAt: number;
  /** When the user was removed. `undefined` while the user is registered. */
  endedAt?: number;
  /** Each text that the user's data has had. */
  readonly data: Set<string>;
  /** The identifier of the user in each application. */
  readonly identifiers: Map<string, string>;
  /** The addresses that were linked. */
  readonly wallets: Set<Address>;
}

/** Every text in a value, also in JSON that is stored as a text. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') {
    try {
      const parsed: unknown = JSON.parse(value);
      return typeof parsed === 'object' ? textsIn(parsed) : [value];
    } catch {
      return [value];
    }
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

export type People = ReturnType<typeof createPeople>;

export const createPeople = ({
  store,
  now,
  onViolation,
}: {
  readonly store: Store;
  readonly now: () => number;
  readonly onViolation: (what: string) => void;
}) => {
  const registrations = new Map<string, Registration>();
  /** The registration of each identifier. */
  const byIdentifier = new Map<string, Registration>();

  const begin = (id: string, userSub: string): Registration => {
    const known = registrations.get(id);
    if (known !== undefined) return known;
    const begun: Registration = {
      id,
      userSub,
      beganAt: now(),
      data: new Set(),
      identifiers: new Map(),
      wallets: new Set(),
    };
    registrations.set(id, begun);
    return begun;
  };

  const onUser = (before: Item | undefined, after: Item | undefined): void => {
    if (after === undefined) return;
    const registration = begin(String(after.registration_id), String(after.user_sub));
    if (after.is_removed === true) {
      registration.endedAt ??= now();
      return;
    }
    if (registration.endedAt !== undefined)
      onViolation(`The registration ${registration.id} of ${registration.userSub} is back after its end`);
    if (
      before?.registration_id !== after.registration_id &&
      before !== undefined &&
      before.is_removed !== true
    )
      onViolation(`A registration of ${registration.userSub} was replaced without an end`);
    for (const text of textsIn([after.user_data, after.user_agreements])) registration.data.add(text);
  };
  const onIdentifier = (after: Item | undefined): void => {
    const [kind, id = ''] = String(after?.pk).split('#');
    if (after === undefined || kind !== 'SUB') return;
    const registration = begin(String(after.registration_id), String(after.user_sub));
    registration.identifiers.set(String(after.application_id), id);
    byIdentifier.set(id, registration);
  };
  const onWallets = (after: Item | undefined): void => {
    if (!String(after?.pk).startsWith('USER#')) return;
    const registration = begin(String(after?.registration_id), String(after?.user_sub));
    for (const { address } of (after?.wallets ?? []) as readonly { readonly address: Address }[])
      registration.wallets.add(address);
  };
  store.watch(({ table, before, after }: Written) => {
    if (table === environment.USERS_TABLE) onUser(before, after);
    if (table === environment.SUBS_TABLE) onIdentifier(after);
    if (table === environment.WALLETS_TABLE) onWallets(after);
  });

  const current = (userSub: string): Registration | undefined => {
    const { Item } = store.get({ TableName: environment.USERS_TABLE, Key: { user_sub: userSub } });
    return Item === undefined || Item.is_removed === true
      ? undefined
      : registrations.get(String(Item.registration_id));
  };

  return {
    all: (): readonly Registration[] => [...registrations.values()],
    ofUser: (userSub: string): Registration[] =>
      [...registrations.values()].filter((one) => one.userSub === userSub),
    current,
    isRegistered: (userSub: string): boolean => current(userSub) !== undefined,
    /** The texts of the data that a user has now. */
    dataOf: (userSub: string): string[] => {
      const { Item } = store.get({ TableName: environment.USERS_TABLE, Key: { user_sub: userSub } });
      return textsIn([Item?.user_data]);
    },
    byIdentifier: (identifier: string): Registration | undefined => byIdentifier.get(identifier),
    /** Whether the user of this identifier is not registered any more. */
    isGone: (identifier: string): boolean => {
      const registration = byIdentifier.get(identifier);
      return registration === undefined || current(registration.userSub) !== registration;
    },
    /** The hash of the user for whom a token is reserved, in this contract. */
    holderOf: (reservedFor: unknown, contract: Address): string | undefined => {
      for (const [identifier, { id }] of byIdentifier)
        if (standInOf(identifier) === reservedFor) return reservationHolder({ registrationId: id, contract });
      return undefined;
    },
  };
};
