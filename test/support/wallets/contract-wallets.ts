/**
 * Deploys contract wallets of others on a test's own chain. `contract-wallets.json` has their creation code, with the npm
 * package that each is from.
 */
import { readFileSync } from 'node:fs';
import {
  type Address,
  concatHex,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  padHex,
  parseAbi,
  parseAbiParameters,
  publicActions,
  zeroAddress,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { hashMessage, hashTypedData } from 'viem/utils';
import * as z from 'zod';
import { type Anvil, anvilPrivateKey } from '../nft/anvil.ts';
import { anvilChain } from '../nft/anvil-chain.ts';
import { minedReceipt } from '../nft/mined-receipt.ts';

const names = [
  'Safe',
  'SafeProxyFactory',
  'CompatibilityFallbackHandler',
  'Simple7702Account',
  'OwnedAccount',
] as const;
type Name = (typeof names)[number];
const packaged = z
  .record(z.enum(names), z.object({ bytecode: z.custom<Hex>((value) => typeof value === 'string') }))
  .parse(JSON.parse(readFileSync(new URL('contract-wallets.json', import.meta.url), 'utf8')));

const factoryAbi = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 salt) returns (address)',
]);
const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function approveHash(bytes32 hash)',
]);
const ownerArgument = parseAbiParameters('address');

/** The bytes at the end of a signature that is wrapped by ERC-6492. */
const magic: Hex = `0x${'6492'.repeat(16)}`;
const envelopeParameters = parseAbiParameters('address, bytes, bytes');

/** The typed data that the owner of a Safe signs for a message (EIP-712). */
const safeMessage = (safe: Address, message: string) =>
  ({
    domain: { chainId: anvilChain.id, verifyingContract: safe },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage',
    message: { message: hashMessage(message) },
  }) as const;

interface NewSafe {
  readonly address: Address;
  readonly deploy: () => Promise<void>;
  /** A signature in ERC-6492's envelope, with the call that deploys the Safe. */
  readonly wrapped: (signature: Hex) => Hex;
}

export const contractWallets = async (anvil: Anvil) => {
  const client = createWalletClient({
    account: privateKeyToAccount(anvilPrivateKey),
    chain: anvilChain,
    transport: http(anvil.url),
  }).extend(publicActions);
  const mined = async (hash: Hex) => {
    const receipt = await minedReceipt(client, hash);
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`);
    return receipt;
  };
  const deploy = async (name: Name, argument?: Address): Promise<Address> => {
    const encoded = argument === undefined ? [] : [encodeAbiParameters(ownerArgument, [argument])];
    const data = concatHex([packaged[name].bytecode, ...encoded]);
    const { contractAddress } = await mined(await client.sendTransaction({ data }));
    if (!contractAddress) throw new Error(`${name} was not deployed`);
    return contractAddress;
  };

  const singleton = await deploy('Safe');
  const factory = await deploy('SafeProxyFactory');
  const handler = await deploy('CompatibilityFallbackHandler');
  let salt = 0n;

  /** A Safe of these owners, which is not deployed yet. */
  const newSafe = async (owners: readonly Address[], threshold = owners.length): Promise<NewSafe> => {
    const initializer = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [owners, BigInt(threshold), zeroAddress, '0x', handler, zeroAddress, 0n, zeroAddress],
    });
    const call = {
      abi: factoryAbi,
      functionName: 'createProxyWithNonce',
      args: [singleton, initializer, salt++],
    } as const;
    const { result: address } = await client.simulateContract({ address: factory, ...call });
    return {
      address,
      deploy: async () => {
        await mined(await client.writeContract({ address: factory, ...call }));
      },
      wrapped: (signature) =>
        concatHex([
          encodeAbiParameters(envelopeParameters, [factory, encodeFunctionData(call), signature]),
          magic,
        ]),
    };
  };

  return {
    newSafe,
    safe: async (owners: readonly Address[], threshold?: number): Promise<Address> => {
      const made = await newSafe(owners, threshold);
      await made.deploy();
      return made.address;
    },
    /** OpenZeppelin's ERC-4337 account, whose owner signs by ERC-7739. */
    ownedAccount: (owner: Address): Promise<Address> => deploy('OwnedAccount', owner),
    /** Lets a key's account run the code of a Simple7702Account (EIP-7702). */
    delegate: async (account: PrivateKeyAccount): Promise<void> => {
      const contractAddress = await deploy('Simple7702Account');
      const nonce = await client.getTransactionCount({ address: account.address });
      const authorization = await account.signAuthorization({
        contractAddress,
        chainId: anvilChain.id,
        nonce,
      });
      const to = account.address;
      await mined(await client.sendTransaction({ authorizationList: [authorization], to, gas: 200_000n }));
    },
    /** The owner approves a message's hash on the chain. The signature that says so proves nothing by itself. */
    approve: async (safe: Address, message: string, owner: PrivateKeyAccount): Promise<Hex> => {
      await client.sendTransaction({ to: owner.address, value: 10n ** 18n }).then(mined);
      const asOwner = createWalletClient({ account: owner, chain: anvilChain, transport: http(anvil.url) });
      const hash = hashTypedData(safeMessage(safe, message));
      const args = [hash] as const;
      await mined(
        await asOwner.writeContract({ address: safe, abi: safeAbi, functionName: 'approveHash', args }),
      );
      return concatHex([padHex(owner.address, { size: 32 }), padHex('0x', { size: 32 }), '0x01']);
    },
    codeOf: (address: Address) => client.getCode({ address }),
  };
};
export type ContractWallets = Awaited<ReturnType<typeof contractWallets>>;

export const signForSafe = (safe: Address, message: string, owner: PrivateKeyAccount): Promise<Hex> =>
  owner.signTypedData(safeMessage(safe, message));

/** With `eth_sign`, the owner signs the hash of the typed data. A Safe recognizes that by a `v` that is greater by 4. */
export const ethSignForSafe = async (
  safe: Address,
  message: string,
  owner: PrivateKeyAccount,
): Promise<Hex> => {
  const signature = await owner.signMessage({ message: { raw: hashTypedData(safeMessage(safe, message)) } });
  const v = Number.parseInt(signature.slice(130), 16) + 4;
  return `${signature.slice(0, 130)}${v.toString(16)}` as Hex;
};

/** As wallets of ERC-4337 sign a message by ERC-7739, so that no other account of the same owner accepts the signature. */
export const signForOwnedAccount = (
  account: Address,
  message: string,
  owner: PrivateKeyAccount,
): Promise<Hex> =>
  owner.signTypedData({
    domain: { name: 'OwnedAccount', version: '1', chainId: anvilChain.id, verifyingContract: account },
    types: { PersonalSign: [{ name: 'prefixed', type: 'bytes' }] },
    primaryType: 'PersonalSign',
    message: { prefixed: prefixedMessage(message) },
  });
const prefixedMessage = (message: string): Hex => {
  const bytes = Buffer.from(message);
  return `0x${Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]).toString('hex')}`;
};
