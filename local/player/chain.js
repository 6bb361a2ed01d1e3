/* Wallets on the local chain that this page creates, as EIP-1193 providers, and the tokens that a wallet holds. */
import { createPublicClient, createWalletClient, encodeFunctionData, http, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function transferFrom(address from, address to, uint256 tokenId)',
]);
const { chain_rpc_url: rpcUrl } = window.settings;
const transport = http(rpcUrl);
const reader = createPublicClient({ transport, pollingInterval: 250 });
const chain = {
  id: 31_337,
  name: 'this machine',
  nativeCurrency: { name: 'POL', symbol: 'POL', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
};

export const newKey = generatePrivateKey;
export const addressOf = (key) => privateKeyToAccount(key).address;

/** A provider that signs without asking the user. Only this page has the key. */
export const pageProvider = (key) => {
  const account = privateKeyToAccount(key);
  const wallet = createWalletClient({ account, chain, transport });
  const calls = {
    eth_requestAccounts: () => [account.address],
    personal_sign: ([message]) => account.signMessage({ message: { raw: message } }),
    eth_sendTransaction: ([{ to, data }]) => wallet.sendTransaction({ to, data }),
  };
  return {
    request: async ({ method, params }) => {
      if (!Object.keys(calls).includes(method)) throw new Error(`This wallet does not know ${method}`);
      return calls[method](params);
    },
  };
};

export const heldTokens = async (contract, holder) => {
  const received = await reader.getContractEvents({
    address: contract,
    abi,
    eventName: 'Transfer',
    args: { to: holder },
    fromBlock: 0n,
  });
  const ids = [...new Set(received.map(({ args }) => args.tokenId))];
  const owners = await Promise.all(
    ids.map((id) => reader.readContract({ address: contract, abi, functionName: 'ownerOf', args: [id] })),
  );
  return ids.filter((_, at) => owners[at].toLowerCase() === holder.toLowerCase());
};

/** Sends a token. Before that, the local chain gives the sender a balance to pay for the gas. */
export const sendToken = async ({ provider, contract, from, to, id }) => {
  await reader.request({ method: 'anvil_setBalance', params: [from, '0x8ac7230489e80000'] });
  const data = encodeFunctionData({ abi, functionName: 'transferFrom', args: [from, to, id] });
  const hash = await provider.request({
    method: 'eth_sendTransaction',
    params: [{ from, to: contract, data }],
  });
  const { status } = await reader.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error('The chain refused the transfer');
};
