import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createWalletClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  parseAbiParameters,
  publicActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lowerCase } from '../../../shared/chain/hex.ts';
import { createRpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import type { ServiceError } from '../../../shared/platform/errors.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { chainContractSignatures } from '../../../shared/wallets/rpc/contract-signatures.ts';
import { isOfKey, messageHash } from '../../../shared/wallets/signature.ts';
import { type LinkedWallet, waitMilliseconds } from '../../../shared/wallets/wallet.ts';
import { type Anvil, anvilPrivateKey, startAnvil } from '../../support/nft/anvil.ts';
import { anvilChain } from '../../support/nft/anvil-chain.ts';
import { minedReceipt } from '../../support/nft/mined-receipt.ts';
import { fixedUrls } from '../../support/nft/rpc-urls.ts';
import { type OddContracts, oddContracts } from '../../support/ott/tickets/contracts.ts';
import { startEndpoint, type TestEndpoint } from '../../support/ott/tickets/rpc-endpoint.ts';
import { newWallet } from '../../support/ott/tickets/tickets-over-http.ts';
import { pageOrigin, type WalletWorld, walletWorld } from '../../support/ott/tickets/wallet-world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

const secp256k1Order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The bytes at the end of a signature that is wrapped by ERC-6492. */
const magic = '6492649264926492649264926492649264926492649264926492649264926492';

let database: TestDatabase;
let anvil: Anvil;
let endpoint: TestEndpoint;
let odd: OddContracts;
let world: WalletWorld;
let number = 0;

const judge = (timeoutMilliseconds = 60_000) =>
  chainContractSignatures(
    createRpcEndpoints({
      chainId: 31_337,
      urls: fixedUrls(endpoint.url),
      clock: systemClock,
      requestTimeoutMilliseconds: timeoutMilliseconds,
      questionTimeoutMilliseconds: timeoutMilliseconds,
    }),
  );

beforeAll(async () => {
  [database, anvil] = await Promise.all([startDatabase(), startAnvil()]);
  endpoint = await startEndpoint(anvil.url);
  odd = await oddContracts(anvil.rpc);
  world = await walletWorld(database, { prefix: 'link', contracts: judge() });
});
afterAll(async () => {
  await endpoint.stop();
  await Promise.all([database.stop(), anvil.stop()]);
});
let user: string;
beforeEach(async () => {
  user = `user-${number++}`;
  await world.register(user);
  endpoint.behave('well');
  endpoint.asked.length = 0;
});

/** The error code of a refused attempt. */
const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'linked',
    (error: ServiceError) => error.code ?? String(error),
  );

const bytesOf = (signature: Hex) => ({
  r: signature.slice(2, 66),
  s: signature.slice(66, 130),
  v: Number.parseInt(signature.slice(130), 16),
});
const withV = (signature: Hex, v: number): Hex => {
  const { r, s } = bytesOf(signature);
  return `0x${r}${s}${v.toString(16).padStart(2, '0')}`;
};
/** EIP-2098. */
const compact = (signature: Hex): Hex => {
  const { r, s, v } = bytesOf(signature);
  const top = (BigInt(`0x${s}`) | (BigInt(v - 27) << 255n)).toString(16).padStart(64, '0');
  return `0x${r}${top}`;
};
/** The other valid signature of the same key for the same message. */
const malleated = (signature: Hex): Hex => {
  const { r, s, v } = bytesOf(signature);
  const other = (secp256k1Order - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
  return `0x${r}${other}${(v === 27 ? 28 : 27).toString(16)}`;
};

describe('a challenge for linking a wallet', () => {
  it('is an EIP-4361 message that names the page, the account and the chain', async () => {
    const { address } = newWallet();

    const madeAt = new Date(world.time.now).toISOString().slice(0, 16).replace('T', ' at ');
    const { message, endsAt } = await world.challenge(user, address);

    expect(message).not.toContain(user);
    expect(message.split('\n')).toEqual([
      'www.example.com wants you to sign in with your Ethereum account:',
      address,
      '',
      expect.stringContaining(` to the account at Acme TV that was made on ${madeAt} UTC. `),
      '',
      `URI: ${pageOrigin}`,
      'Version: 1',
      'Chain ID: 31337',
      expect.stringMatching(/^Nonce: [0-9a-f]{32}$/),
      `Issued At: ${new Date(world.time.now).toISOString()}`,
      `Expiration Time: ${new Date(endsAt).toISOString()}`,
    ]);
    expect(endsAt).toBe(world.time.now + 600_000);
  });

  it('contains the masked e-mail address only if the operator alone can write it', async () => {
    const { address } = newWallet();
    await world.register(user, { data: { email: 'ana@example.com' } });

    const trusted = await world.challenge(user, address, { isEmailTrusted: true });
    const chosen = await world.challenge(user, address);

    expect(trusted.message).toContain(' to the account a***@example.com. ');
    expect(chosen.message).toContain(' to the account at Acme TV that was made on ');
  });

  it('names the account by its age if what is stored as its e-mail address is none', async () => {
    await world.register(user, { data: { email: 'ana' } });

    const { message } = await world.challenge(user, newWallet().address, { isEmailTrusted: true });

    expect(message).toContain(' to the account at Acme TV that was made on ');
  });

  it('is issued ten times an hour to a user, even for concurrent requests', async () => {
    const { address } = newWallet();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(world.challenge(user, address))));

    expect(codes.filter((code) => code === 'linked')).toHaveLength(10);
    expect(codes.filter((code) => code === 'TOO_MANY_CHALLENGES')).toHaveLength(10);
    const untilNextHour = Math.ceil((3_600_000 - (world.time.now % 3_600_000)) / 1_000);
    await expect(world.challenge(user, address)).rejects.toMatchObject({
      headers: { 'retry-after': String(untilNextHour) },
    });
    world.time.now += 3_600_000;
    expect(await codeOf(world.challenge(user, address))).toBe('linked');
  });
});

describe('a signature by the key of a wallet', () => {
  it.each<[string, (signature: Hex) => Hex]>([
    ['65 bytes', (signature) => signature],
    ['65 bytes with the parity as it is', (signature) => withV(signature, bytesOf(signature).v - 27)],
    ['64 bytes (EIP-2098)', compact],
  ])(
    'in %s links the wallet without a call to the chain, and has no effect when repeated',
    async (_, form) => {
      const wallet = newWallet();
      const signed = await world.proofBy(user, wallet);
      const proof = { ...signed, signature: form(signed.signature) };

      const linked = await world.prove(user, proof);
      world.time.now += 1_000;

      expect(await world.prove(user, proof)).toEqual(linked);
      expect(await world.linked(user)).toEqual([wallet.address.toLowerCase()]);
      expect(endpoint.asked).toEqual([]);
    },
  );

  it('links the wallet once when it is sent in twenty concurrent requests', async () => {
    const wallet = newWallet();
    const proof = await world.proofBy(user, wallet);

    const answers = await Promise.all(Array.from({ length: 20 }, () => world.prove(user, proof)));

    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await world.linked(user)).toHaveLength(1);
  });

  it.each(['find', 'ownershipOf'] as const)(
    'links the wallet even if a request with the same signature finishes during its read %s',
    async (read) => {
      const wallet = newWallet();
      const proof = await world.proofBy(user, wallet);
      let other: LinkedWallet | undefined;
      const beside = {
        ...world.wallets,
        [read]: async (key: never) => {
          const found = await world.wallets[read](key);
          other ??= await world.prove(user, proof);
          return found;
        },
      };

      const linked = await world.prove(user, proof, undefined, { wallets: beside });

      expect(linked).toEqual(other);
    },
  );

  const wallet = newWallet();
  const sign = (message: string) => wallet.signMessage({ message });
  interface Attempt {
    readonly id: string;
    readonly message: string;
  }
  it.each<[string, number, (given: Attempt) => Promise<string>]>([
    [
      'another key',
      1,
      async ({ id, message }) => codeOf(prove(id, await newWallet().signMessage({ message }))),
    ],
    [
      'the other form of itself (malleable)',
      1,
      async ({ id, message }) => codeOf(prove(id, malleated(await sign(message)))),
    ],
    [
      'the other form of itself in 64 bytes',
      1,
      async ({ id, message }) => {
        const signature = malleated(await sign(message));
        return codeOf(prove(id, compact(signature)));
      },
    ],
    [
      'a parity that there is not',
      1,
      async ({ id, message }) => codeOf(prove(id, withV(await sign(message), 29))),
    ],
    ['zeros', 1, ({ id }) => codeOf(prove(id, `0x${'0'.repeat(128)}1b`))],
    [
      'a message of another chain',
      1,
      async ({ id, message }) => codeOf(prove(id, await sign(message.replace('31337', '137')))),
    ],
    [
      'a message of another page',
      1,
      async ({ id, message }) => codeOf(prove(id, await sign(message.replaceAll('example.com', 'evil.com')))),
    ],
    [
      'a request of another page',
      0,
      async ({ id, message }) => codeOf(prove(id, await sign(message), 'https://evil.com')),
    ],
    ['an unknown challenge', 0, async ({ message }) => codeOf(prove('0'.repeat(32), await sign(message)))],
    ['an id that is not Unicode', 0, async ({ message }) => codeOf(prove('\ud800', await sign(message)))],
    [
      'a challenge that is over',
      0,
      async ({ id, message }) => {
        const signature = await sign(message);
        world.time.now += 600_000;
        return codeOf(prove(id, signature));
      },
    ],
    [
      'a challenge for another address',
      0,
      async () => {
        const other = newWallet();
        const { id, message } = await world.challenge(user, other.address);
        return codeOf(prove(id, await sign(message)));
      },
    ],
    [
      "another user's challenge",
      0,
      async () => {
        const other = `${user}-other`;
        await world.register(other);
        const { id, message } = await world.challenge(other, wallet.address);
        return codeOf(prove(id, await sign(message)));
      },
    ],
    [
      'a challenge from before the user was deleted',
      0,
      async ({ id, message }) => {
        await world.remove(user);
        await world.register(user);
        return codeOf(prove(id, await sign(message)));
      },
    ],
    [
      'a replayed challenge, after the wallet was unlinked',
      0,
      async ({ id, message }) => {
        const signature = await sign(message);
        expect(await codeOf(prove(id, signature))).toBe('linked');
        await world.unlink(user, wallet.address);
        return codeOf(prove(id, signature));
      },
    ],
    [
      'the right key after three wrong ones',
      3,
      async ({ id, message }) => {
        for (const _ of [1, 2, 3]) await codeOf(prove(id, await newWallet().signMessage({ message })));
        return codeOf(prove(id, await sign(message)));
      },
    ],
    [
      'a challenge older than that by which another user has it',
      0,
      async ({ id, message }) => {
        const other = `${user}-newer`;
        await world.register(other);
        world.time.now += 1_000;
        await world.link(other, wallet);
        return codeOf(prove(id, await sign(message)));
      },
    ],
  ])(
    'links no wallet with %s, and asks the chain at most %i times for a contract',
    async (_, times, attempt) => {
      const given = await world.challenge(user, wallet.address);

      expect(await attempt(given)).toBe('SIGNATURE_INVALID');

      expect(await world.linked(user)).toEqual([]);
      const asked = endpoint.asked.filter((each) => each.startsWith('eth_getCode'));
      expect(asked.length).toBeLessThanOrEqual(times);
    },
  );
  const prove = (challengeId: string, signature: Hex, origin?: string) =>
    world.prove(user, { address: wallet.address, challengeId, signature }, origin);

  it('is never accepted if it is random, in 1,000 tries', async () => {
    const address = lowerCase(newWallet().address);
    const hash = messageHash('Link');
    let accepted = 0;
    for (let count = 0; count < 1_000; count += 1) {
      const signature: Hex = `0x${randomBytes(count % 2 === 0 ? 64 : 65).toString('hex')}`;
      const form = count % 2 === 0 ? signature : withV(signature, 27 + (count % 4 === 1 ? 1 : 0));
      if (await isOfKey({ address, hash, signature: form })) accepted += 1;
    }

    expect(accepted).toBe(0);
  });
});

describe('a signature for a contract wallet', () => {
  const secret: Hex = '0x5ec7e7';
  const by = async (kind: number): Promise<Hex> => odd.deploy('SignsFor', keccak256(secret), kind);
  const attempt = async (address: Hex, signature: Hex, contracts = judge()): Promise<string> => {
    const { id } = await world.challenge(user, address);
    return codeOf(world.prove(user, { address, challengeId: id, signature }, undefined, { contracts }));
  };

  it('links the wallet if the contract accepts the signature (ERC-1271), and no other wallet', async () => {
    expect(await attempt(await by(0), secret)).toBe('linked');
    expect(await attempt(await by(0), '0x5ec7e8')).toBe('SIGNATURE_INVALID');
    expect(await attempt(await by(1), secret)).toBe('SIGNATURE_INVALID');
    expect(await attempt(await by(2), secret)).toBe('SIGNATURE_INVALID');
    expect(await attempt(await by(4), secret)).toBe('SIGNATURE_INVALID');
    expect(await attempt(await odd.deploy('Yes'), secret)).toBe('SIGNATURE_INVALID');
    expect(await attempt(newWallet().address, secret)).toBe('SIGNATURE_INVALID');
    expect(await attempt(await by(0), '0x')).toBe('SIGNATURE_INVALID');
    expect(await world.linked(user)).toHaveLength(1);
  });

  it('causes no request to a URL that the contract returns', async () => {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.end('{"data":"0x1626ba7e"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{sender}`;

    const code = await attempt(await by(3), `0x${Buffer.from(url).toString('hex')}`);
    await new Promise<void>((resolve) => server.close(() => resolve()));

    expect(code).toBe('SIGNATURE_INVALID');
    expect(heard).toEqual([]);
    const methods = new Set(endpoint.asked.map((asked) => asked.split(' ')[0]));
    methods.delete('eth_chainId');
    expect(methods).toEqual(new Set(['eth_call', 'eth_getCode']));
  });

  it('gives access for 90 days, and again after a new proof', async () => {
    const address = await by(0);
    const key = newWallet();
    await world.link(user, key);
    expect(await attempt(address, secret)).toBe('linked');
    const opened = async () => (await world.open(user)).length;

    world.time.now += 90 * 24 * 3_600_000 - 1;
    expect(await opened()).toBe(2);
    world.time.now += 1;
    expect(await opened()).toBe(1);
    expect(await attempt(address, secret)).toBe('linked');

    expect(await opened()).toBe(2);
    expect(await world.linked(user)).toHaveLength(2);
  });

  describe('at an address with code', () => {
    const key: Hex = keccak256('0x7702');
    const envelope = (to: Hex, data: Hex, inner: Hex): Hex =>
      `${encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [to, data, inner])}${magic}`;
    const initialising = (address: Hex) =>
      envelope(address, odd.dataOf('Account', 'initialize', [keccak256(secret)]), secret);
    /** An account of a plain key that has delegated to an uninitialised contract (EIP-7702). */
    const delegated = async (): Promise<Hex> => {
      const implementation = await odd.deploy('Account');
      const account = privateKeyToAccount(key);
      const client = createWalletClient({
        account: privateKeyToAccount(anvilPrivateKey),
        chain: anvilChain,
        transport: http(anvil.url),
      }).extend(publicActions);
      const nonce = await client.getTransactionCount({ address: account.address });
      const authorization = await account.signAuthorization({
        contractAddress: implementation,
        chainId: 31_337,
        nonce,
      });
      const sent = await client.sendTransaction({
        authorizationList: [authorization],
        to: account.address,
        gas: 200_000n,
      });
      await minedReceipt(client, sent);
      expect(await client.getCode({ address: account.address })).toBe(`0xef0100${implementation.slice(2)}`);
      return account.address;
    };

    it('does not execute the call in the signature first, which could make the contract accept it', async () => {
      const deployed = await odd.deploy('Account');
      const account = await delegated();

      expect(await attempt(deployed, initialising(deployed))).toBe('SIGNATURE_INVALID');
      expect(await attempt(account, initialising(account))).toBe('SIGNATURE_INVALID');

      expect(await world.linked(user)).toEqual([]);
    });

    it('links an account that delegates to a contract, with and without an ERC-6492 envelope', async () => {
      const account = await delegated();
      await odd.call([{ to: account, name: 'Account', call: 'initialize', args: [keccak256(secret)] }]);

      expect(await attempt(account, '0x5ec7e8')).toBe('SIGNATURE_INVALID');
      expect(await attempt(account, envelope(account, '0x', secret))).toBe('linked');
      expect(await attempt(account, secret)).toBe('linked');
    });

    it('is not accepted by a contract that accepts simulated calls only', async () => {
      expect(await attempt(await odd.deploy('TrustsSimulations'), secret)).toBe('SIGNATURE_INVALID');
    });

    it('is rejected in a malformed envelope without a call to the chain', async () => {
      expect(await attempt(await by(0), `0x5ec7e7${magic}`)).toBe('SIGNATURE_INVALID');
      expect(endpoint.asked).toEqual([]);
    });
  });

  it('links a wallet that is not deployed yet (ERC-6492), and deploys nothing', async () => {
    const factory = await odd.deploy('Factory');
    const address =
      `0x${(await odd.read('Factory', factory, 'addressOf', [keccak256(secret)])).slice(26)}` as Hex;
    const wrapped = (inner: Hex): Hex => {
      const parameters = parseAbiParameters('address, bytes, bytes');
      const data = odd.dataOf('Factory', 'deploy', [keccak256(secret)]);
      return `${encodeAbiParameters(parameters, [factory, data, inner])}${magic}` as Hex;
    };

    expect(await attempt(address, wrapped('0x5ec7e8'))).toBe('SIGNATURE_INVALID');
    expect(await attempt(address, wrapped(secret))).toBe('linked');
    expect(await anvil.rpc('eth_getCode', address, 'latest')).toBe('0x');
  });

  it.each(['gone', 'hanging', 'too many requests', 'over its limit'] as const)(
    'is neither accepted nor rejected while the endpoint is %s, which is called once',
    async (mode) => {
      const address = await by(0);
      endpoint.behave(mode);

      expect(await attempt(address, secret, judge(1_000))).toBe('CHAIN_UNAVAILABLE');

      expect(endpoint.asked.filter((asked) => asked.startsWith('eth_call'))).toHaveLength(1);
      expect(await world.linked(user)).toEqual([]);
    },
  );

  it('causes only three calls to the chain for twenty concurrent requests', async () => {
    const address = await by(0);
    const { id } = await world.challenge(user, address);

    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        codeOf(world.prove(user, { address, challengeId: id, signature: `0x${`${index + 10}`.repeat(3)}` })),
      ),
    );

    expect(new Set(codes)).toEqual(new Set(['SIGNATURE_INVALID']));
    expect(endpoint.asked.filter((asked) => asked.startsWith('eth_call'))).toHaveLength(3);
  });
});

describe('the linked wallets of a user', () => {
  const open = (userSub: string) => world.open(userSub);

  it('are at most five, and a linked wallet can be linked again', async () => {
    const five = Array.from({ length: 5 }, newWallet);
    for (const wallet of five) await world.link(user, wallet);

    expect(await codeOf(world.link(user, newWallet()))).toBe('WALLET_LIMIT_REACHED');
    expect(await codeOf(world.link(user, five[0] ?? newWallet()))).toBe('linked');
    expect(await world.linked(user)).toHaveLength(5);
  });

  it('are at most five even after ten concurrent requests', async () => {
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(world.link(user, newWallet()))));

    expect(codes.filter((code) => code === 'linked')).toHaveLength(5);
    expect(await world.linked(user)).toHaveLength(5);
  });

  it.each(['moved', 'unlinked', 'deleted'] as const)(
    'give the next user access only after the signatures for the former user have ended: %s',
    async (how) => {
      const next = `${user}-next`;
      await world.register(next);
      const wallet = newWallet();
      await world.link(user, wallet);
      expect(await open(user)).toHaveLength(1);

      if (how === 'unlinked') await world.unlink(user, wallet.address);
      if (how === 'deleted') await world.remove(user);
      await world.link(next, wallet);

      expect(await open(user)).toEqual([]);
      world.time.now += waitMilliseconds(300) - 1;
      expect(await open(next)).toEqual([]);
      world.time.now += 1;
      expect(await open(next)).toEqual([wallet.address.toLowerCase()]);
    },
  );

  it('are not added by a challenge of a deleted user, even before the user’s wallets are deleted', async () => {
    const proof = await world.proofBy(user, newWallet());
    await world.remove(user, false);

    expect(await codeOf(world.prove(user, proof))).toBe('SIGNATURE_INVALID');
    await world.register(user);
    expect(await codeOf(world.prove(user, proof))).toBe('SIGNATURE_INVALID');

    expect(await world.linked(user)).toEqual([]);
  });

  it.each(['find', 'hasEnded', 'ownershipOf'] as const)(
    'are not added if the user is deleted during the read %s of the request',
    async (read) => {
      const proof = await world.proofBy(user, newWallet());
      const beside = {
        ...world.wallets,
        [read]: async (key: never) => {
          const found = await world.wallets[read](key);
          await world.remove(user);
          return found;
        },
      };

      const code = await codeOf(world.prove(user, proof, undefined, { wallets: beside }));

      expect(code).toBe('SIGNATURE_INVALID');
      expect(await world.linked(user)).toEqual([]);
    },
  );

  it('can still be added after a deletion that failed because the user had changed', async () => {
    const proof = await world.proofBy(user, newWallet());
    const trace = await world.users.trace(user);
    if (trace?.registrationId === undefined) throw new Error('not registered');
    const { registrationId } = trace;
    const before = { ...trace, version: (trace.version ?? 0) + 1 };

    const changedAt = trace.changedAt ?? '';
    const burial = world.users.bury({ trace: before, registrationId, changedAt, counts: {} });

    await expect(burial).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await codeOf(world.prove(user, proof))).toBe('linked');
  });

  it('give no access once the user is deleted, and are deleted soon after', async () => {
    const wallet = newWallet();
    await world.link(user, wallet);

    await world.remove(user, false);
    expect(await open(user)).toEqual([]);
    expect(await world.linked(user)).toHaveLength(1);
    await world.remove(user);

    const { Items } = await world.client.scan({ TableName: world.tables.Wallets });
    expect(JSON.stringify(Items)).not.toContain(wallet.address.toLowerCase());
    await world.register(user);
    expect(await open(user)).toEqual([]);
  });

  it('include a wallet that several users link concurrently for only one of them', async () => {
    const rivals = Array.from({ length: 4 }, (_, index) => `${user}-rival-${index}`);
    const wallet = newWallet();
    for (const rival of rivals) await world.register(rival);

    await Promise.all(rivals.map((rival) => codeOf(world.link(rival, wallet))));

    const having = await Promise.all(rivals.map((rival) => world.linked(rival)));
    expect(having.flat()).toHaveLength(1);
  });
});
