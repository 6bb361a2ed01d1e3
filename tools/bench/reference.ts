/**
 * The reference implementation, which mints without Marquee. It has its own collection, a key in memory, a nonce that
 * is counted locally, and a limit for unmined transactions. Nothing is stored or retried, and a crash loses everything.
 *
 * Run it as `reference.ts RPC_URL MINTS`. It prints its measurements as JSON.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  http,
  parseEther,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { encodeDeployment } from '../../shared/nft/collections/collection.ts';
import { anvilChain } from '../../test/support/nft/anvil-chain.ts';
import { collectionAbi } from '../../test/support/nft/collection-abi.ts';

const inFlightAtMost = 100;
const lookMilliseconds = 50;
const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const [rpcUrl = '', mintsText = ''] = process.argv.slice(2);
const mints = Number(mintsText);
const account = privateKeyToAccount(generatePrivateKey());
const transport = http(rpcUrl);
const wallet = createWalletClient({ account, chain: anvilChain, transport });
const chain = createPublicClient({
  chain: anvilChain,
  transport,
  cacheTime: 0,
  pollingInterval: lookMilliseconds,
});
const node = createTestClient({ chain: anvilChain, mode: 'anvil', transport });

await node.setBalance({ address: account.address, value: parseEther('1000') });
const { to, data, gas, address } = encodeDeployment({
  collection: {
    name: 'Reference',
    symbol: 'R',
    base: 'http://127.0.0.1',
    owner: account.address,
    royalty: null,
  },
  salt: `0x${randomBytes(32).toString('hex')}`,
});
await chain.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to, data, gas }) });
const { maxFeePerGas, maxPriorityFeePerGas } = await chain.estimateFeesPerGas();

const firstNonce = await chain.getTransactionCount({ address: account.address });
const accepted: number[] = [];
const mined: number[] = [];
const sentAt: number[] = [];
let minedCount = 0;

const cpuBefore = process.cpuUsage();
const began = performance.now();
const sending = (async () => {
  for (let index = 0; index < mints; index += 1) {
    while (index - minedCount >= inFlightAtMost) await delay(1);
    sentAt[index] = performance.now();
    void wallet
      .sendTransaction({
        to: address,
        data: encodeFunctionData({
          abi: collectionAbi,
          functionName: 'mint',
          args: [receiver, BigInt(index + 1)],
        }),
        gas: 100_000n,
        nonce: firstNonce + index,
        maxFeePerGas: maxFeePerGas * 2n,
        maxPriorityFeePerGas,
      })
      .then(() => accepted.push(performance.now() - (sentAt[index] ?? 0)));
  }
})();
while (minedCount < mints) {
  await delay(lookMilliseconds);
  const now = (await chain.getTransactionCount({ address: account.address })) - firstNonce;
  for (; minedCount < now; minedCount += 1) mined.push(performance.now() - (sentAt[minedCount] ?? 0));
}
await sending;
const seconds = (performance.now() - began) / 1_000;
const { user, system } = process.cpuUsage(cpuBefore);
const balance = await chain.readContract({
  address,
  abi: collectionAbi,
  functionName: 'balanceOf',
  args: [receiver],
});
if (balance !== BigInt(mints)) throw new Error(`${balance} of ${mints} were minted`);
process.stdout.write(
  `${JSON.stringify({ seconds, accepted, mined, cpuMilliseconds: (user + system) / 1_000 })}\n`,
);
