import { setTimeout as pause } from 'node:timers/promises';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { dynamoDbApplications } from '../../shared/platform/store/applications.ts';
import { documentClientOf } from '../../shared/platform/store/client.ts';
import { anEvent } from '../../test/support/ott/builders.ts';
import { startEndpoint } from '../../test/support/ott/tickets/rpc-endpoint.ts';
import { type System, startSystem } from '../../test/support/platform/system.ts';
import { httpCall } from './http-call.ts';
import { type Measurement, median } from './measurement.ts';

const walletOrigin = 'https://www.example.com';

const blocks = 6;
/**
 * How often each path is called before the endpoint begins or stops failing. All these calls together take longer than
 * a circuit breaker stays open. So the viewer's calls, which run at the same time, meet the breaker both open and
 * closed.
 */
const callsOfABlock = 400;
const slowerAtMost = 1.25;

const everyMilliseconds = 200;

const paths = {
  'a list': '/api/v3/ott/events/',
  'one event': '/api/v3/ott/events/gala',
  'a free stream': '/api/v3/ott/events/training/stream',
} as const;
type Call = keyof typeof paths;

const stream = (id: string) =>
  ({ type: 'hls', url: `https://streams.example.com/${id}/index.m3u8` }) as const;

/**
 * A viewer who has bought nothing, and so could play the event only with a ticket. Each of this viewer's calls
 * therefore asks the chain for tickets.
 */
const ticketViewer = async (system: System) => {
  const { base_url, api_url_profile } = system.outputs;
  const token = await system.token({ sub: 'holder', client_id: 'demo-web' });
  const headers = { authorization: `Bearer ${token}` };
  await httpCall(`${api_url_profile}/user/data`, { method: 'PUT', headers, json: {} });
  const wallet = privateKeyToAccount(generatePrivateKey());
  const { address } = wallet;
  const challenge = JSON.parse(
    await httpCall(`${api_url_profile}/user/wallets/challenges`, {
      method: 'POST',
      headers,
      json: { address, origin: walletOrigin },
      status: 201,
    }),
  );
  const json = {
    challenge_id: challenge.challenge_id,
    signature: await wallet.signMessage({ message: challenge.message }),
  };
  await httpCall(`${api_url_profile}/user/wallets/${address}`, { method: 'PUT', headers, json });
  return {
    ask: async () => {
      const answer = await fetch(`${base_url}/api/v3/ott/events/gala/stream`, { headers });
      await answer.text();
      return answer.status;
    },
  };
};

const prepare = async (system: System): Promise<void> => {
  const client = documentClientOf(system.aws);
  const applications = dynamoDbApplications({
    client,
    tableName: await system.stackOutput('ApplicationsTable'),
  });
  const demo = await applications.find('demo');
  if (demo === undefined) throw new Error('There is no application demo');
  const ott = { rules: [{ id: 'all', enabled: true }] };
  await applications.save({ ...demo, ott, wallets: { origins: [walletOrigin] } });
  const catalogue = dynamoDbCatalogue({ client, tableName: await system.stackOutput('EventsTable') });
  const tickets = [{ contractAddress: `0x${'11'.repeat(20)}` as const }];
  await catalogue.write([
    { after: anEvent({ id: 'gala', status: 'LIVE', access: 'paid', stream: stream('gala'), tickets }) },
    { after: anEvent({ id: 'training', status: 'LIVE', stream: stream('training') }) },
  ]);
};

/**
 * Measures calls that need no ticket, while another viewer's calls wait for RPC endpoints that hang. The measured calls
 * may take at most `slowerAtMost` times as long as when the endpoints answer.
 */
export const measureBesideHangingEndpoints = async (): Promise<Measurement[]> => {
  await using cleanup = new AsyncDisposableStack();
  const system = await startSystem({ arguments: ['--empty'] });
  cleanup.defer(() => system.dispose());
  const endpoint = await startEndpoint(system.outputs.chain_rpc_url);
  cleanup.defer(() => endpoint.stop());
  const secrets = new SecretsManagerClient(system.aws);
  cleanup.defer(() => secrets.destroy());
  await secrets.send(
    new PutSecretValueCommand({
      SecretId: await system.stackOutput('TicketChainSecretArn'),
      SecretString: JSON.stringify({ urls: [endpoint.url] }),
    }),
  );
  await prepare(system);
  const viewer = await ticketViewer(system);

  const over = new AbortController();
  const answers = new Set<number>();
  const watching = (async () => {
    while (!over.signal.aborted) {
      answers.add(await viewer.ask());
      await pause(everyMilliseconds);
    }
  })();
  const times = { well: newTimes(), hanging: newTimes() };
  for (let block = -1; block < blocks; block += 1) {
    for (const mode of block % 2 !== 0 ? (['well', 'hanging'] as const) : (['hanging', 'well'] as const)) {
      endpoint.behave(mode);
      for (let call = 0; call < callsOfABlock; call += 1) {
        for (const [name, path] of Object.entries(paths)) {
          const startedAt = performance.now();
          await httpCall(`${system.outputs.base_url}${path}`);
          if (block >= 0) times[mode][name as Call].push(performance.now() - startedAt);
        }
      }
    }
  }
  over.abort();
  endpoint.behave('well');
  await watching;
  // The wallet holds no token. The answer is 403 if an RPC endpoint reports this, and 503 while no endpoint answers.
  if (!answers.has(403) || !answers.has(503)) throw new Error(`The viewer got ${[...answers].join(', ')}`);

  return Object.keys(paths).map((name) => {
    const ratio = median(times.hanging[name as Call]) / median(times.well[name as Call]);
    return {
      name: `${name} while RPC endpoints hang (at most ${slowerAtMost})`,
      value: ratio,
      unit: '×',
      holds: ratio <= slowerAtMost,
    };
  });
};

const newTimes = (): Record<Call, number[]> => ({ 'a list': [], 'one event': [], 'a free stream': [] });
