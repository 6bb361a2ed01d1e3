import { generateKeyPairSync } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from 'template-runtime/processes/free-port.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startEntitlement } from '../../../local/fakes/entitlement.ts';
import { startGeolocation } from '../../../local/fakes/geolocation.ts';
import { judgeSecret } from '../../../operator/stage/secrets/judge-secret.ts';
import type { TriedStage } from '../../../operator/stage/secrets/trials.ts';
import { batchLimit } from '../../../shared/chain/rpc/json-rpc.ts';
import { blocksAtOnce } from '../../../shared/nft/rpc/chain-logs.ts';
import { isUnsetSecret, type SecretName, secretNames } from '../../../shared/platform/stage-secrets.ts';
import { startAnvil } from '../../support/nft/anvil.ts';
import { RpcFault, type ScriptedRpc, startScriptedRpc } from '../../support/nft/scripted-rpc.ts';

/** A part of every value below. No sentence about a value may contain it. */
const marker = 'Very-Secret-0815';

const state = mkdtempSync(join(tmpdir(), 'marquee-secrets-'));
const nodes: ScriptedRpc[] = [];
let stage: TriedStage;
/** An address at which nobody listens. */
let nowhere: string;
let fakes: Awaited<ReturnType<typeof startEntitlement>>[];

/** What a node answers to a batch. */
type Script = Parameters<typeof startScriptedRpc>[0];

const scriptedNode = async (script: Script): Promise<string> => {
  const node = await startScriptedRpc(script);
  nodes.push(node);
  return `${node.url}/v2/${marker}?key=${marker}`;
};

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
const transaction = hashOf(0xfeed);
const addressZero = `0x${'0'.repeat(40)}`;

/** What a good node answers. */
const goodAnswers: Readonly<Record<string, (...params: readonly unknown[]) => unknown>> = {
  eth_blockNumber: () => '0x1000',
  eth_feeHistory: () => ({ oldestBlock: '0xffc', baseFeePerGas: ['0x7', '0x7'], reward: [['0x5']] }),
  eth_getTransactionCount: () => '0x0',
  eth_getBalance: () => '0x0',
  eth_getBlockByNumber: (block) => {
    const number = String(block).startsWith('0x') ? String(block) : '0x1000';
    return { number, hash: hashOf(Number(number)), timestamp: '0x6900', transactions: [transaction] };
  },
  eth_getTransactionReceipt: (hash) => ({
    transactionHash: hash,
    blockNumber: '0x1000',
    blockHash: hashOf(0x1000),
    status: '0x1',
    gasUsed: '0x5208',
    logs: [{ address: addressZero, topics: [hashOf(1)], data: '0x' }],
  }),
  eth_getTransactionByHash: () => ({ blockNumber: '0x1000' }),
  eth_getCode: () => '0x',
  eth_call: (call) => ((call as { to?: string }).to === undefined ? hashOf(0) : '0x'),
  eth_getLogs: () => [],
  eth_sendRawTransaction: () => new RpcFault({ code: -32_000, message: 'typed transaction too short' }),
};

/** A node of a chain. `otherwise` changes its answers to some methods. */
const scriptOf =
  (chainId: number, otherwise: Partial<typeof goodAnswers> = {}): Script =>
  (questions) =>
    questions.map(({ method, params }) => {
      if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
      return (otherwise[method] ?? goodAnswers[method])?.(...params);
    });

const nodeOf = (...node: Parameters<typeof scriptOf>): Promise<string> => scriptedNode(scriptOf(...node));

beforeAll(async () => {
  nowhere = `http://127.0.0.1:${await freePort()}`;
  const own = { port: 0, stateDirectory: state };
  fakes = [
    await startEntitlement({ ...own, apiKey: `good-${marker}` }),
    await startGeolocation({ ...own, accountId: '42', licenseKey: `good-${marker}` }),
  ];
  const [entitlement, geolocation] = fakes;
  stage = {
    chainId: 137,
    finality: { kind: 'tag' },
    ownTicketEndpoints: false,
    entitlementUrl: String(entitlement?.url),
    geolocationUrl: String(geolocation?.url),
  };
});
afterAll(async () => {
  await Promise.all([...fakes, ...nodes].map((each) => each.stop()));
  rmSync(state, { recursive: true, force: true });
});

const judged = async (name: SecretName, value: unknown, overrides: Partial<TriedStage> = {}) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const faults = await judgeSecret(name, text, { stage: { ...stage, ...overrides }, isTried: true });
  expect(faults.join('\n')).not.toContain(marker);
  return faults;
};

const pem = (bits: number): string =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;

describe('a secret of the stage', () => {
  it.each(secretNames)(
    '%s with a wrong shape is rejected with an error that contains no part of its value',
    async (name) => {
      for (const text of [
        marker,
        `{"urls": ["${marker}"`,
        JSON.stringify({ [marker]: marker, urls: [marker] }),
      ]) {
        if (name === 'cursor' && text.length >= 32) continue;
        expect(await judged(name, text)).toEqual([expect.stringContaining('does not have the right shape')]);
      }
      expect(await judged(name, marker.repeat(5_000))).toEqual([
        expect.stringContaining('longer than 65536'),
      ]);
    },
  );

  it('that still has its generated value counts as empty', () => {
    expect(isUnsetSecret('{"not_set_yet":"x"}')).toBe(true);
    expect(isUnsetSecret('{"api_key":"x"}')).toBe(false);
  });
});

describe('the RPC endpoints in a secret', () => {
  it('are accepted if each serves the stage’s chain', async () => {
    const urls = [await nodeOf(137), await nodeOf(137)];

    expect(await judged('chain', { urls })).toEqual([]);
    expect(await judged('ticket-chain', { urls })).toEqual([]);
  });

  it('are accepted if a real node serves the chain', async () => {
    const anvil = await startAnvil();
    onTestFinished(() => anvil.stop());
    const urls = [anvil.url];

    for (const finality of [{ kind: 'tag' }, { kind: 'confirmations', blocks: 2 }] as const) {
      expect(await judged('chain', { urls }, { chainId: 31_337, finality })).toEqual([]);
    }
    expect(await judged('ticket-chain', { urls }, { chainId: 31_337 })).toEqual([]);
  });

  it('are named by host if they serve another chain or do not answer', async () => {
    const urls = [await nodeOf(137), await nodeOf(80002), `${nowhere}/${marker}`];

    expect(await judged('chain', { urls })).toEqual([
      expect.stringMatching(/^urls\.1 \(127\.0\.0\.1:\d+\): serves chain 80002, not 137\.$/),
      expect.stringMatching(/^urls\.2 \(127\.0\.0\.1:\d+\): cannot be reached \(ECONNREFUSED\)\.$/),
    ]);
  });

  const ofMints = Object.keys(goodAnswers).filter(
    (method) => method !== 'eth_blockNumber' && method !== 'eth_sendRawTransaction',
  );

  it.each(ofMints)('are refused by the name of %s if they answer it with null', async (method) => {
    const urls = [await nodeOf(137, { [method]: () => null })];

    const faults = await judged('chain', { urls });

    expect(faults).not.toEqual([]);
    expect(faults[0]).toMatch(new RegExp(`^urls\\.0 .* does not answer ${method}`));
  });

  it.each<readonly [string, Partial<typeof goodAnswers>, string]>([
    [
      'fees without rewards',
      { eth_feeHistory: () => ({ baseFeePerGas: ['0x7', '0x7'], reward: [null, null] }) },
      'eth_feeHistory: malformed answer (reward.0).',
    ],
    [
      'fees whose rewards are null one by one',
      { eth_feeHistory: () => ({ baseFeePerGas: ['0x7'], reward: [[null]] }) },
      'eth_feeHistory: malformed answer (reward.0.0).',
    ],
    [
      'fees without a base fee',
      { eth_feeHistory: () => ({ reward: [] }) },
      'eth_feeHistory: malformed answer (baseFeePerGas).',
    ],
    ['numbers instead of quantities', { eth_getBalance: () => 0 }, 'eth_getBalance: malformed answer.'],
    [
      'receipts without a status',
      {
        eth_getTransactionReceipt: (hash) => ({
          transactionHash: hash,
          blockNumber: '0x1',
          blockHash: hashOf(1),
          gasUsed: '0x1',
          logs: [],
        }),
      },
      'eth_getTransactionReceipt: malformed answer (status).',
    ],
    [
      'no receipt of a transaction in their own block',
      { eth_getTransactionReceipt: () => null },
      'eth_getTransactionReceipt: does not find a transaction of its own block.',
    ],
    [
      'the receipt of another transaction',
      { eth_getTransactionReceipt: () => goodAnswers.eth_getTransactionReceipt?.(hashOf(5)) },
      'eth_getTransactionReceipt: returned the receipt of another transaction.',
    ],
    [
      'a success to what is no transaction',
      { eth_sendRawTransaction: () => hashOf(1) },
      'eth_sendRawTransaction: accepts what is no transaction.',
    ],
    [
      'logs that are no logs',
      { eth_getLogs: () => [{ address: addressZero }] },
      'eth_getLogs: malformed answer.',
    ],
  ])('are refused with the reason of the functions if they answer with %s', async (_, otherwise, fault) => {
    const urls = [await nodeOf(137, otherwise)];

    expect(await judged('chain', { urls })).toContainEqual(
      expect.stringContaining(`does not answer ${fault}`),
    );
  });

  it('are refused with the reason of the endpoint if it lacks a method', async () => {
    const missing = (method: string) => ({ code: -32_601, message: `the method ${method} does not exist` });
    for (const method of [...ofMints, 'eth_sendRawTransaction']) {
      const urls = [await nodeOf(137, { [method]: () => new RpcFault(missing(method)) })];

      const faults = await judged('chain', { urls });

      expect(faults.join(' ')).toContain(`: the method ${method} does not exist.`);
    }
  });

  it('are asked every method that functions send', async () => {
    const asked = new Set<string>();
    const answers = scriptOf(137);
    const url = await scriptedNode((questions) => {
      for (const { method } of questions) asked.add(method);
      return answers(questions);
    });
    const sources = globSync('shared/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const sent = sources.flatMap((text) => [...text.matchAll(/'(eth_\w+)'/g)].map(([, method]) => method));

    expect(await judged('chain', { urls: [url] })).toEqual([]);

    expect([...asked].sort()).toEqual([...new Set(sent)].sort());
  });

  it('are refused if they answer only smaller batches, or events of fewer blocks, than functions ask for', async () => {
    const answers = scriptOf(137);
    const rangeOf = ([search]: readonly unknown[]) => {
      const { fromBlock, toBlock } = search as { readonly fromBlock: string; readonly toBlock: string };
      return Number(toBlock) - Number(fromBlock) + 1;
    };
    const upTo =
      (batch: number, blocks: number): Script =>
      (questions) =>
        questions.length > batch
          ? questions.map(() => undefined)
          : answers(questions).map((answer, index) => {
              const { method, params } = questions[index] ?? { method: '', params: [] };
              return method === 'eth_getLogs' && rangeOf(params) > blocks ? null : answer;
            });
    const urls = await Promise.all(
      [
        upTo(batchLimit, blocksAtOnce),
        upTo(batchLimit - 1, blocksAtOnce),
        upTo(batchLimit, blocksAtOnce - 1),
      ].map(scriptedNode),
    );

    expect(await judged('chain', { urls })).toEqual([
      expect.stringMatching(
        /^urls\.1 .* does not answer a batch of 100 requests: no answer to eth_blockNumber\.$/,
      ),
      expect.stringMatching(/^urls\.2 .* does not answer eth_getLogs over 500 blocks: malformed answer\.$/),
    ]);
    expect(await judged('ticket-chain', { urls })).toEqual([]);
  });

  it('need to support the "finalized" tag only if the stage uses it', async () => {
    const eth_getBlockByNumber = (block: unknown) =>
      block === 'finalized' ? null : goodAnswers.eth_getBlockByNumber?.(block);
    const urls = [await nodeOf(137, { eth_getBlockByNumber })];

    expect(await judged('chain', { urls })).toEqual([
      expect.stringContaining('does not answer eth_getBlockByNumber finalized: does not have the block.'),
    ]);
    const finality = { kind: 'confirmations', blocks: 2 } as const;
    expect(await judged('chain', { urls }, { finality })).toEqual([]);
  });

  it('need to answer about tickets and wallets only if no other endpoints are asked about them', async () => {
    const eth_call = (call: unknown, block: unknown) =>
      (call as { from?: string }).from === undefined ? goodAnswers.eth_call?.(call, block) : null;
    const urls = [await nodeOf(137, { eth_call })];

    const ofTickets = ['for tickets', 'for owners', 'and eth_getCode for wallets'].map((what) =>
      expect.stringContaining(`does not answer eth_call ${what}: malformed answer.`),
    );
    expect(await judged('chain', { urls }, { ownTicketEndpoints: false })).toEqual(ofTickets);
    expect(await judged('ticket-chain', { urls })).toEqual(ofTickets);
    expect(await judged('chain', { urls }, { ownTicketEndpoints: true })).toEqual([]);
  });
});

describe('the credentials of an outside service in a secret', () => {
  const good = {
    entitlement: { api_key: `good-${marker}` },
    geolocation: { account_id: 42, license_key: `good-${marker}` },
  };
  const bad = {
    entitlement: [{ api_key: `bad-${marker}` }, { api_key: `bad\n${marker}` }],
    geolocation: [{ account_id: 42, license_key: `bad-${marker}` }],
  };

  it.each(['entitlement', 'geolocation'] as const)(
    'for %s are accepted if the service accepts them',
    async (name) => {
      expect(await judged(name, good[name])).toEqual([]);
    },
  );

  it.each(['entitlement', 'geolocation'] as const)(
    'for %s are rejected if the service refuses them',
    async (name) => {
      const [refused, ...unusable] = bad[name];

      expect(await judged(name, refused)).toEqual([
        expect.stringContaining(`The ${name} service at http://127.0.0.1:`),
      ]);
      expect((await judged(name, refused)).join()).toContain('refuses the credentials: it answered 401');
      for (const each of unusable) {
        expect(await judged(name, each)).toEqual([expect.stringContaining('gives no usable answer')]);
      }
    },
  );

  it('are reported as untested if the service is unreachable', async () => {
    const away = { entitlementUrl: nowhere, geolocationUrl: nowhere };

    for (const name of ['entitlement', 'geolocation'] as const) {
      expect(await judged(name, good[name], away)).toEqual([
        expect.stringContaining('cannot be reached (ECONNREFUSED)'),
      ]);
    }
  });
});

describe('the secret with the signing key for streams', () => {
  it('is accepted if CloudFront supports it', async () => {
    expect(await judged('signing-key', { key_pair_id: 'K1', private_key: pem(2_048) })).toEqual([]);
  });

  it.each([
    ['is damaged', `-----BEGIN PRIVATE KEY-----\n${marker}\n-----END PRIVATE KEY-----`, 'is not the PEM'],
    ['is too short', pem(1_024), 'is not an RSA key of 2,048 bits'],
  ])('is rejected if it %s', async (_, private_key, fault) => {
    expect(await judged('signing-key', { key_pair_id: 'K1', private_key })).toEqual([
      expect.stringContaining(fault),
    ]);
  });
});
