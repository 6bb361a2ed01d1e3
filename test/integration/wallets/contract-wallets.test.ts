import {
  type Address,
  type Hex,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import type { ServiceError } from '../../../shared/platform/errors.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { chainContractSignatures } from '../../../shared/wallets/rpc/contract-signatures.ts';
import { contractLinkMilliseconds, type LinkedWallet } from '../../../shared/wallets/wallet.ts';
import { type Anvil, startAnvil } from '../../support/nft/anvil.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';
import { startEndpoint, type TestEndpoint } from '../../support/ott/tickets/rpc-endpoint.ts';
import { newWallet } from '../../support/ott/tickets/tickets-over-http.ts';
import { type WalletWorld, walletWorld } from '../../support/ott/tickets/wallet-world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import {
  type ContractWallets,
  contractWallets,
  ethSignForSafe,
  signForOwnedAccount,
  signForSafe,
} from '../../support/wallets/contract-wallets.ts';

let database: TestDatabase;
let anvil: Anvil;
let endpoint: TestEndpoint;
let others: ContractWallets;
let world: WalletWorld;
let user: string;
let number = 0;

beforeAll(async () => {
  [database, anvil] = await Promise.all([startDatabase(), startAnvil()]);
  endpoint = await startEndpoint(anvil.url);
  others = await contractWallets(anvil);
  const contracts = chainContractSignatures(
    createRpcEndpoints({
      chainId: 31_337,
      urls: fixedUrls(endpoint.url),
      clock: systemClock,
      requestTimeoutMilliseconds: 60_000,
      questionTimeoutMilliseconds: 60_000,
    }),
  );
  world = await walletWorld(database, { prefix: 'contracts', contracts });
});
afterAll(async () => {
  await endpoint.stop();
  await Promise.all([database.stop(), anvil.stop()]);
});
beforeEach(async () => {
  user = `user-${number++}`;
  await world.register(user);
  endpoint.behave('well');
  endpoint.asked.length = 0;
});

type Sign = (message: string) => Promise<Hex>;
const link = async (address: Address, sign: Sign): Promise<LinkedWallet> => {
  const { id, message } = await world.challenge(user, address);
  return world.prove(user, { address, challengeId: id, signature: await sign(message) });
};
/** The error code of a refused attempt, or for how long the link gives access. */
const outcomeOf = (address: Address, sign: Sign): Promise<string> =>
  link(address, sign).then(
    ({ opensUntil }) => (opensUntil === world.time.now + contractLinkMilliseconds ? '90 days' : 'for ever'),
    (error: ServiceError) => error.code ?? String(error),
  );

const bytesIn = (signature: Hex): number => (signature.length - 2) / 2;
const compact = (signature: Hex): Hex =>
  serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
const withParity = (signature: Hex): Hex =>
  `${signature.slice(0, 130)}0${parseSignature(signature).yParity}` as Hex;

describe('a Safe with one owner', () => {
  const owner = newWallet();
  let safe: Address;
  beforeAll(async () => {
    safe = await others.safe([owner.address]);
  });
  const signed: Sign = (message) => signForSafe(safe, message, owner);

  it.each<[string, Sign]>([
    ['typed data in 65 bytes', signed],
    [
      'the hash of the typed data (eth_sign), which adds 4 to v',
      (message) => ethSignForSafe(safe, message, owner),
    ],
    ['typed data in 64 bytes (EIP-2098)', async (message) => compact(await signed(message))],
    ['typed data with the parity as it is', async (message) => withParity(await signed(message))],
    ['the hash on the chain, by an approval', (message) => others.approve(safe, message, owner)],
  ])('is linked for 90 days if its owner signs %s', async (_, sign) => {
    const sizes: number[] = [];
    const outcome = await outcomeOf(safe, async (message) => {
      const signature = await sign(message);
      sizes.push(bytesIn(signature));
      return signature;
    });

    expect(outcome).toBe('90 days');
    expect([64, 65]).toContain(sizes[0]);
  });

  it.each<[string, Sign]>([
    ['another key', (message) => signForSafe(safe, message, newWallet())],
    ['the owner for another Safe', (message) => signForSafe(newWallet().address, message, owner)],
    ['the owner as for its own address', (message) => owner.signMessage({ message })],
    ['the owner, another message', (message) => signForSafe(safe, `${message}.`, owner)],
    [
      'nobody, with an approval that is not on the chain',
      async (): Promise<Hex> => `0x${owner.address.slice(2).padStart(64, '0')}${'0'.repeat(64)}01`,
    ],
  ])('is not linked by a signature of %s', async (_, sign) => {
    expect(await outcomeOf(safe, sign)).toBe('SIGNATURE_INVALID');
    expect(await world.linked(user)).toEqual([]);
  });

  it('is asked at most three times for one challenge, in one request each', async () => {
    const { id, message } = await world.challenge(user, safe);
    const attempts: Promise<unknown>[] = [];
    for (let count = 0; count < 10; count += 1) {
      const signature = compact(await newWallet().signMessage({ message }));
      attempts.push(world.prove(user, { address: safe, challengeId: id, signature }).catch(() => {}));
    }
    await Promise.all(attempts);
    const right = { address: safe, challengeId: id, signature: await signed(message) };

    await expect(world.prove(user, right)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    // A write of an attempt that the database answers late counts twice.
    const times = endpoint.asked.filter((asked) => asked.startsWith('eth_getCode')).length;
    expect([1, 2, 3]).toContain(times);
  });

  it('is neither linked nor refused while the endpoint does not answer', async () => {
    endpoint.behave('gone');

    expect(await outcomeOf(safe, signed)).toBe('CHAIN_UNAVAILABLE');
  });

  it('does not give its link to its owner’s own address, which has no code', async () => {
    expect(await outcomeOf(owner.address, signed)).toBe('SIGNATURE_INVALID');
  });
});

describe('a Safe with two owners', () => {
  const owners = [newWallet(), newWallet()].sort((one, other) =>
    one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1,
  );

  it('is linked by the signatures of as many owners as it wants', async () => {
    const addresses = owners.map(({ address }) => address);
    const [either, both] = [await others.safe(addresses, 1), await others.safe(addresses, 2)];
    const by =
      (safe: Address, signing: readonly PrivateKeyAccount[]): Sign =>
      async (message) => {
        const parts = await Promise.all(signing.map((owner) => signForSafe(safe, message, owner)));
        return `0x${parts.map((part) => part.slice(2)).join('')}`;
      };

    expect(await outcomeOf(either, by(either, owners.slice(1)))).toBe('90 days');
    expect(await outcomeOf(both, by(both, owners.slice(1)))).toBe('SIGNATURE_INVALID');
    expect(await outcomeOf(both, by(both, owners))).toBe('90 days');
  });
});

describe('a Safe that is deployed after it was linked', () => {
  it('is linked by ERC-6492 before, and by its owner’s bare signature afterwards', async () => {
    const owner = newWallet();
    const safe = await others.newSafe([owner.address]);
    const signed: Sign = (message) => signForSafe(safe.address, message, owner);
    const enveloped: Sign = async (message) => safe.wrapped(await signed(message));

    expect(await outcomeOf(safe.address, signed)).toBe('SIGNATURE_INVALID');
    expect(await outcomeOf(safe.address, enveloped)).toBe('90 days');
    expect(await others.codeOf(safe.address)).toBeUndefined();
    await safe.deploy();
    world.time.now += 1_000;

    expect(await outcomeOf(safe.address, signed)).toBe('90 days');
    expect(await outcomeOf(safe.address, enveloped)).toBe('90 days');
    expect(await world.linked(user)).toEqual([safe.address.toLowerCase()]);
  });
});

describe('an ERC-4337 account with an owner', () => {
  const owner = newWallet();
  let account: Address;
  beforeAll(async () => {
    account = await others.ownedAccount(owner.address);
  });
  const signed: Sign = (message) => signForOwnedAccount(account, message, owner);

  it('is linked for 90 days by its owner’s signature of 65 bytes, also in the forms that it does not know', async () => {
    expect(await outcomeOf(account, signed)).toBe('90 days');
    expect(await outcomeOf(account, async (message) => compact(await signed(message)))).toBe('90 days');
    expect(await outcomeOf(account, async (message) => withParity(await signed(message)))).toBe('90 days');
  });

  it('is not linked by another key', async () => {
    const stranger = newWallet();

    expect(await outcomeOf(account, (message) => signForOwnedAccount(account, message, stranger))).toBe(
      'SIGNATURE_INVALID',
    );
    expect(await outcomeOf(account, (message) => owner.signMessage({ message }))).toBe('SIGNATURE_INVALID');
  });
});

describe('a key’s account that runs the code of a contract (EIP-7702)', () => {
  it('is linked for ever by its key, without a call to the chain, and by no other key', async () => {
    const account = newWallet();
    await others.delegate(account);
    const signed: Sign = (message) => account.signMessage({ message });

    expect(await outcomeOf(account.address, (message) => newWallet().signMessage({ message }))).toBe(
      'SIGNATURE_INVALID',
    );
    endpoint.asked.length = 0;
    expect(await outcomeOf(account.address, signed)).toBe('for ever');
    expect(await outcomeOf(account.address, async (message) => compact(await signed(message)))).toBe(
      'for ever',
    );
    expect(endpoint.asked).toEqual([]);
  });

  it('is linked for ever by its key also in an ERC-6492 envelope', async () => {
    const account = newWallet();
    const { wrapped } = await others.newSafe([account.address]);

    const sign: Sign = async (message) => wrapped(await account.signMessage({ message }));

    expect(await outcomeOf(account.address, sign)).toBe('for ever');
    expect(endpoint.asked).toEqual([]);
  });
});
