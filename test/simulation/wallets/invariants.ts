/** The promises about users and their wallets: docs/simulation.md lists them. */
import { createHash } from 'node:crypto';
import type { Address } from '../../../shared/chain/hex.ts';
import { addressKey } from '../../../shared/wallets/store/wallets.ts';
import { holderOf, waitMilliseconds, walletsAtMost } from '../../../shared/wallets/wallet.ts';
import type { Item } from '../expressions.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Store } from '../store.ts';
import { environment } from './service.ts';

interface StoredWallet {
  readonly address: Address;
  readonly opens_from: number;
  readonly proof: string;
}

/** The largest difference between two clocks. */
const clocksMilliseconds = 60_000;

const walletsOf = (item: Item | undefined): readonly StoredWallet[] =>
  (item?.wallets ?? []) as readonly StoredWallet[];

export const createInvariants = ({
  store,
  scheduler,
  onViolation,
}: {
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly onViolation: (what: string) => void;
}) => {
  const { WALLETS_TABLE, USERS_TABLE } = environment;
  const proofs = new Set<string>();
  /** The last time at which a link of an address to a registration ended. */
  const ended = new Map<Address, { readonly registration: string; readonly at: number }>();

  const item = (pk: string): Item | undefined => store.get({ TableName: WALLETS_TABLE, Key: { pk } }).Item;
  const hasEnded = (registration: unknown): boolean => item(`ENDED#${registration}`) !== undefined;
  const isRegistered = (user: unknown, registration: unknown): boolean => {
    const { Item } = store.get({ TableName: USERS_TABLE, Key: { user_sub: String(user) } });
    return Item?.registration_id === registration && Item?.is_removed !== true;
  };
  /** The list of a registration that has ended links nothing, though a removal may not have deleted it yet. */
  const linkedOf = (user: string): readonly StoredWallet[] => {
    const list = item(`USER#${holderOf(user)}`);
    return hasEnded(list?.registration_id) ? [] : walletsOf(list);
  };
  const lists = (): Item[] => store.items(WALLETS_TABLE).filter(({ pk }) => String(pk).startsWith('USER#'));

  /**
   * Checks, between transactions, that a user's list and the addresses name the same links, and that an address has one
   * user.
   */
  const checkLinks = (): void => {
    const users = new Map<Address, string>();
    for (const list of lists()) {
      const { user_sub: user, registration_id: registration } = list;
      if (hasEnded(registration)) continue;
      for (const { address } of walletsOf(list)) {
        const other = users.get(address);
        if (other !== undefined) onViolation(`${address} is linked to ${user} and to ${other}`);
        users.set(address, String(user));
        const ownership = item(addressKey(address).pk);
        const isSame =
          ownership !== undefined &&
          ownership.registration_id === registration &&
          ownership.holder === holderOf(String(user)) &&
          ownership.freed_at === undefined;
        if (!isSame) onViolation(`${user} has ${address}, whose own item says something else`);
      }
    }
    const owned = store
      .items(WALLETS_TABLE)
      .filter(({ pk, freed_at }) => String(pk).startsWith('ADDRESS#') && freed_at === undefined);
    for (const { pk, registration_id: registration } of owned) {
      if (hasEnded(registration)) continue;
      const list = lists().find((one) => one.registration_id === registration);
      if (!walletsOf(list).some(({ address }) => addressKey(address).pk === pk))
        onViolation(`${pk} is linked to a user who has it not`);
    }
  };

  const onList = (before: Item | undefined, after: Item | undefined): void => {
    const user = (after ?? before)?.user_sub;
    if (walletsOf(after).length > walletsAtMost)
      onViolation(`${user} has ${walletsOf(after).length} wallets`);
    const isSame = before?.registration_id === after?.registration_id;
    const old = walletsOf(before);
    for (const { address, proof, opens_from: opensFrom } of walletsOf(after)) {
      if (isSame && old.some((one) => one.address === address && one.proof === proof)) continue;
      if (proofs.has(proof)) onViolation(`${user} links ${address} a second time with one challenge`);
      proofs.add(proof);
      if (hasEnded(after?.registration_id)) onViolation(`${user} links ${address} after the removal`);
      const last = ended.get(address);
      const isOther = last !== undefined && last.registration !== after?.registration_id;
      if (isOther && opensFrom < last.at + waitMilliseconds(environment.TICKET_SECONDS) - clocksMilliseconds)
        onViolation(`${address} opens for ${user} while it may still open for another user`);
    }
    for (const { address } of old) {
      if (isSame && walletsOf(after).some((one) => one.address === address)) continue;
      ended.set(address, { registration: String(before?.registration_id), at: scheduler.now() });
    }
  };
  const onOwnership = (before: Item | undefined, after: Item | undefined): void => {
    if (before === undefined || after === undefined || before.registration_id === after.registration_id)
      return;
    if (Number(after.proven_at) < Number(before.proven_at))
      onViolation(`An older challenge moves ${before.pk} to another user`);
  };

  let isDirty = false;
  store.watch(({ table, before, after }) => {
    if (table !== WALLETS_TABLE) return;
    const pk = String((after ?? before)?.pk);
    if (pk.startsWith('USER#')) onList(before, after);
    if (pk.startsWith('ADDRESS#')) onOwnership(before, after);
    if (isDirty) return;
    isDirty = true;
    // The other writes of a transaction follow at once.
    scheduler.at(scheduler.now(), () => {
      isDirty = false;
      checkLinks();
    });
  });

  return {
    proofsOf: (user: string, address: Address): readonly string[] =>
      linkedOf(user)
        .filter((wallet) => wallet.address === address)
        .map(({ proof }) => proof),
    onLinked: (
      user: string,
      address: Address,
      { challenge_id, signature }: { readonly challenge_id: string; readonly signature: string },
    ): void => {
      const proof = createHash('sha256')
        .update(JSON.stringify([challenge_id, signature]))
        .digest('hex');
      if (!proofs.has(proof)) onViolation(`${user} is told that ${address} is linked, and it never was`);
    },
    onUnlinked: (user: string, address: Address, before: readonly string[]): void => {
      const now = linkedOf(user);
      if (now.some((wallet) => wallet.address === address && before.includes(wallet.proof)))
        onViolation(`${user} is told that ${address} is unlinked, and it is not`);
    },
    /** When all is quiet, and every removal was repeated until it was answered. */
    checkAll: (): void => {
      checkLinks();
      for (const { user_sub: user, registration_id: registration, wallets } of lists()) {
        if (!isRegistered(user, registration) && (wallets as unknown[]).length > 0)
          onViolation(`The wallets of ${user} stay after the removal`);
      }
      for (const { pk, registration_id: registration, freed_at: freedAt } of store.items(WALLETS_TABLE)) {
        if (String(pk).startsWith('ADDRESS#') && freedAt === undefined && hasEnded(registration))
          onViolation(`${pk} is linked to a user who was removed`);
      }
    },
  };
};
