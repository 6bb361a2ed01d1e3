import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from 'template-runtime/processes/free-port.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEntitlement } from '../../../local/stand-ins/entitlement.ts';
import { startGeolocation } from '../../../local/stand-ins/geolocation.ts';
import { judgeSecret } from '../../../operator/platform/secrets/judge-secret.ts';
import type { TriedStage } from '../../../operator/platform/secrets/trials.ts';
import { blocksAtOnce } from '../../../shared/nft/chain/events.ts';
import { batchLimit } from '../../../shared/platform/rpc/json-rpc.ts';
import { isUnsetSecret, type SecretName, secretNames } from '../../../shared/platform/stage-secrets.ts';
import { type ScriptedRpc, startScriptedRpc } from '../../support/nft/scripted-rpc.ts';

/** A part of every value below. No sentence about a value may contain it. */
const marker = 'Very-Secret-0815';

const state = mkdtempSync(join(tmpdir(), 'marquee-secrets-'));
const nodes: ScriptedRpc[] = [];
let stage: TriedStage;
/** An address at which nobody listens. */
let nowhere: string;
let standIns: Awaited<ReturnType<typeof startEntitlement>>[];

/** What a node answers to a batch. */
type Script = Parameters<typeof startScriptedRpc>[0];

const scriptedNode = async (script: Script): Promise<string> => {
  const node = await startScriptedRpc(script);
  nodes.push(node);
  return `${node.url}/v2/${marker}?key=${marker}`;
};

/** A node of a chain, without the methods that are named. */
const scriptOf =
  (chainId: number, ...without: readonly string[]): Script =>
  (questions) =>
    questions.map(({ method }) => {
      if (without.includes(method)) return null;
      if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
      return method === 'eth_blockNumber' ? '0x1000' : { number: '0x1' };
    });

const nodeOf = (...node: Parameters<typeof scriptOf>): Promise<string> => scriptedNode(scriptOf(...node));

beforeAll(async () => {
  nowhere = `http://127.0.0.1:${await freePort()}`;
  const own = { port: 0, stateDirectory: state };
  standIns = [
    await startEntitlement({ ...own, apiKey: `good-${marker}` }),
    await startGeolocation({ ...own, accountId: '42', licenseKey: `good-${marker}` }),
  ];
  const [entitlement, geolocation] = standIns;
  stage = {
    chainId: 137,
    readsFinalizedTag: true,
    entitlementUrl: String(entitlement?.url),
    geolocationUrl: String(geolocation?.url),
  };
});
afterAll(async () => {
  await Promise.all([...standIns, ...nodes].map((each) => each.stop()));
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

  it('are named by host if they serve another chain, do not answer, or lack a method', async () => {
    const urls = [
      await nodeOf(137),
      await nodeOf(80002),
      `${nowhere}/${marker}`,
      await nodeOf(137, 'eth_feeHistory'),
    ];

    expect(await judged('chain', { urls })).toEqual([
      expect.stringMatching(/^urls\.1 \(127\.0\.0\.1:\d+\): serves chain 80002, not 137\.$/),
      expect.stringMatching(/^urls\.2 \(127\.0\.0\.1:\d+\): cannot be reached \(ECONNREFUSED\)\.$/),
      expect.stringMatching(/^urls\.3 .* does not answer eth_feeHistory\.$/),
    ]);
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
          ? []
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
      expect.stringMatching(/^urls\.1 .* does not answer a batch of 100 requests\.$/),
      expect.stringMatching(/^urls\.2 .* does not answer eth_getLogs over 500 blocks\.$/),
    ]);
    expect(await judged('ticket-chain', { urls })).toEqual([]);
  });

  it('need to support the "finalized" tag only if the stage uses it', async () => {
    const urls = [await nodeOf(137, 'eth_getBlockByNumber')];

    expect(await judged('chain', { urls })).toEqual([
      expect.stringContaining('does not answer eth_getBlockByNumber finalized'),
    ]);
    expect(await judged('chain', { urls }, { readsFinalizedTag: false })).toEqual([]);
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
