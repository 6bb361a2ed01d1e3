import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { expect } from 'vitest';
import { stageChain } from '../../../../operator/nft/chain/stage-chain.ts';
import { endpointsOf, undeliveredOf } from '../../../../operator/platform/target/stores.ts';
import type { Target } from '../../../../operator/platform/target/target.ts';
import { find } from '../../../../operator/stage/find/find.ts';
import { stageFinder } from '../../../../operator/stage/find/stage-finder.ts';
import type { Timeline } from '../../../../operator/stage/find/timeline.ts';
import { endpointsNow } from '../../../../operator/stage/status/endpoints-now.ts';
import { stageReader } from '../../../../operator/stage/status/stage-now.ts';
import { addressOfSigner } from '../../../../shared/nft/transactions/entry.ts';
import { showPlainly } from '../../../../tools/demo/show.ts';
import { walk } from '../../../../tools/demo/walk.ts';
import { type CustomerEndpoint, startCustomerEndpoint } from '../../notifications/customer-endpoint.ts';
import { callApi } from '../../platform/api-client.ts';
import type { System } from '../../platform/system.ts';
import { operatorInProcess } from './operator-in-process.ts';

export const patience = { interval: 300 };
const ignore = { remark: () => {} };
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const metadata = { name: 'Seat 1', attributes: [] };
const gwei = 1_000_000_000n;

export const said = (timeline: Timeline | undefined): string =>
  timeline?.moments.map(({ what }) => what).join('\n') ?? '';

/** Brings a running system into the situations that the operator's tools show. */
export const scenesOf = (system: System, target: Target, outputsFile: string) => {
  const key = String(system.outputs.applications.find(({ id }) => id === 'demo')?.api_key);
  const contracts = `${system.outputs.base_url}/api/v1/nft/contracts`;
  const operator = operatorInProcess(outputsFile);

  const call = async <Body>(
    path: string,
    {
      status,
      ...request
    }: { status: number; method?: string; body: unknown; headers?: Record<string, string> },
  ): Promise<Body> => {
    const answer = await callApi<Body>(`${contracts}${path}`, { key, ...request });
    expect(answer.status, answer.text).toBe(status);
    return answer.json;
  };
  const deploy = async (idempotencyKey?: string): Promise<`0x${string}`> => {
    const { address } = await call<{ address: `0x${string}` }>('', {
      status: 201,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      body: { name: 'Tickets', symbol: 'TICKET', chain: 'MATIC' },
    });
    return address;
  };
  const mint = async (contract: string): Promise<string> => {
    const body = { destination: receiver, metadata };
    return (await call<{ id: string }>(`/${contract}/mint`, { status: 201, body })).id;
  };

  const lookUp = (what: string): Promise<Timeline[]> => find(stageFinder(target, ignore), what);
  const hasStatus = (what: string, status: string) =>
    waitFor(async () => expect((await lookUp(what))[0]?.fields.status).toBe(status), patience);

  /**
   * A collection with one token, a batch of two more, new metadata for the batch, and a new royalty, all of them
   * confirmed.
   */
  const collection = async () => {
    const contract = await deploy('find-me');
    await mint(contract);
    const tokens = [metadata, metadata].map((each) => ({ destination: receiver, metadata: each }));
    await call(`/${contract}/mint/batch`, {
      status: 201,
      headers: { 'idempotency-key': 'find-my-batch' },
      body: { tokens },
    });
    await call(`/${contract}/metadata/batch`, {
      status: 200,
      method: 'PUT',
      headers: { 'idempotency-key': 'find-my-update' },
      body: { from: '2', to: '3', metadata: [metadata, metadata] },
    });
    await call(`/${contract}/royalty`, {
      status: 200,
      method: 'PUT',
      body: { receiver, basis_points: 250 },
    });
    await waitFor(async () => {
      const [timeline] = await lookUp(contract);
      expect(said(timeline)).toMatch(
        /set-royalty, to 2.5 %[\s\S]*confirmed at finality[\s\S]*published: confirmed \(royalty\)/,
      );
    }, patience);
    return contract;
  };

  const subscribe = async (endpoint: CustomerEndpoint, applicationId: string, ...options: string[]) => {
    await operator('subscriptions', 'add', applicationId, endpoint.url, ...options);
    const confirmation = await waitUntil(() => endpoint.posted[0], patience);
    await fetch(String(confirmation.body.SubscribeURL));
  };

  /** An application's endpoint that subscribes to the outcomes of NFT transactions and accepts every notification. */
  const chainEndpoint = async (applicationId: string): Promise<CustomerEndpoint> => {
    const endpoint = await startCustomerEndpoint();
    await subscribe(endpoint, applicationId, '--operations', 'contract_update,token_update');
    return endpoint;
  };

  /** An application's endpoint that answers 404 to every notification until `recover` is called. */
  const failingEndpoint = async (applicationId: string) => {
    let status = 404;
    const endpoint = await startCustomerEndpoint(({ headers }) =>
      headers['x-amz-sns-message-type'] === 'Notification' ? status : 200,
    );
    await subscribe(endpoint, applicationId);
    return {
      ...endpoint,
      recover: () => {
        status = 200;
      },
    };
  };
  const endpoints = endpointsOf(target);
  const undelivered = undeliveredOf(target);
  const failing = (url: string) =>
    waitFor(async () => {
      const shown = (await endpointsNow({ endpoints, undelivered, clock: Date.now })).failing.map(
        ({ endpoint }) => endpoint,
      );
      expect(shown).toContain(url);
    }, patience);

  /** Writes a user item that cannot be parsed, so that its change is put among the failed changes. */
  const unreadableUser = (userSub: string) =>
    new DynamoDBClient(system.aws).send(
      new PutItemCommand({ TableName: target.output('UsersTable'), Item: { user_sub: { S: userSub } } }),
    );

  /** Runs the demonstration and returns what it printed. */
  const demonstration = async (): Promise<string> => {
    const lines: string[] = [];
    await walk({
      show: showPlainly((line) => lines.push(line)),
      signal: new AbortController().signal,
      outputsFile,
      start: 'never',
    });
    return lines.join('\n');
  };

  const rpc = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result> => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return (await callApi<{ result: Result }>(system.outputs.chain_rpc_url, { body })).json.result;
  };
  const latestBlock = async () => {
    const block = await rpc<{ number: string; baseFeePerGas: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    return { number: Number(block.number), baseFee: BigInt(block.baseFeePerGas) };
  };
  let feeTimer: NodeJS.Timeout | undefined;
  /** Sets the base fee per gas of all following blocks. `undefined` leaves it to the chain again. */
  const setBaseFee = async (wei?: bigint): Promise<void> => {
    clearInterval(feeTimer);
    if (wei === undefined) return;
    const set = () => rpc('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
    await set();
    feeTimer = setInterval(set, 100);
  };

  /**
   * Submits a deployment and two mints between two blocks, then raises the base fee above what the stage pays.
   * `isInVain` is true if no block included the deployment before.
   */
  const acceptedInVain = async (contract: string) => {
    const { number } = await latestBlock();
    await waitUntil(async () => (await latestBlock()).number > number, { ...patience, interval: 20 });
    const withdrawn = await deploy();
    const held = `${contract}/${await mint(contract)}`;
    const lost = `${withdrawn}/${await mint(withdrawn)}`;
    await setBaseFee(2_000n * gwei);
    await waitUntil(async () => (await latestBlock()).baseFee === 2_000n * gwei, patience);
    const { nonce, signer } = (await lookUp(withdrawn))[0]?.fields ?? {};
    const address = String(signer).split('#')[1] ?? '';
    const count = Number(await rpc<string>('eth_getTransactionCount', address, 'latest'));
    return { withdrawn, held, lost, nonce: Number(nonce), address, isInVain: count === Number(nonce) };
  };

  /**
   * A queue that is stuck because the base fee is higher than the stage pays. It contains a deployment that `release`
   * cancels, a mint into `contract` that will be replaced, and a mint into the cancelled contract. `contract` must be
   * confirmed.
   */
  const stuckQueue = async (contract: string) => {
    const { nonce, address, ...accepted } = await waitFor(async () => {
      await setBaseFee(gwei);
      const tried = await acceptedInVain(contract);
      expect(tried.isInVain, 'a block came in between').toBe(true);
      return tried;
    }, patience);
    const { withdrawn, held, lost } = accepted;
    const reader = stageReader(target, ignore);
    await waitUntil(async () => (await reader.signers()).some(({ stuck }) => stuck), patience);

    /**
     * Cancels the deployment, lowers the base fee until the mint into `contract` is replaced, and then until the queue
     * is empty.
     */
    const release = async () => {
      const cancel = ['transactions', 'cancel', String(nonce), '--signer', address];
      await operator(...cancel, '--fee-ceiling', '5000', '--yes');
      await waitUntil(
        async () => Number(await rpc<string>('eth_getTransactionCount', address, 'latest')) > nonce,
        patience,
      );
      await setBaseFee(950n * gwei);
      await waitFor(async () => expect(said((await lookUp(held))[0])).toContain('replaced'), patience);
      await setBaseFee(gwei);
      await hasStatus(withdrawn, 'failed');
      await hasStatus(lost, 'failed');
      await hasStatus(held, 'confirmed');
      await setBaseFee();
    };
    return { withdrawn, held, lost, release };
  };

  /** Removes all funds of a signer, and returns a function that restores them. */
  const emptySigner = async (number: number): Promise<() => Promise<void>> => {
    const known = await stageChain(target, ignore).keys.list();
    const id = known.find(({ signer }) => signer.number === number)?.id ?? '';
    const address = addressOfSigner(id);
    const balance = await rpc<string>('eth_getBalance', address, 'latest');
    await rpc('anvil_setBalance', address, '0x0');
    return async () => {
      await rpc('anvil_setBalance', address, balance);
    };
  };

  return {
    operator,
    unreadableUser,
    emptySigner,
    lookUp,
    collection,
    chainEndpoint,
    failingEndpoint,
    failing,
    demonstration,
    stuckQueue,
    end: () => setBaseFee(),
  };
};
