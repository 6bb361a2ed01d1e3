import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem';
import { concat, encodeAbiParameters, encodeDeployData, parseAbiParameters, size } from 'viem/utils';
import { type Hex, zeroAddress } from '../../nft/hex.ts';
import type { ContractSignatures } from '../../wallets/ports/contract-signatures.ts';
import type { Endpoints } from './endpoints.ts';
import { readRequest, returnedAt } from './read-calls.ts';

/**
 * Deploying a wallet's contract and checking a signature takes about 400,000 gas, or several times as much if the
 * contract itself does the elliptic-curve arithmetic for a passkey.
 */
const validationGas = 10_000_000;

/**
 * The validator reads the last 32 bytes of every signature, and fails if a signature is shorter. But some wallets
 * accept shorter signatures.
 */
const shortest = 32;
/** Wraps a short signature in ERC-6492's envelope, with nothing to deploy. */
const enveloped = (signature: Hex): Hex =>
  concat([
    encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [zeroAddress, '0x', signature]),
    `0x${'6492'.repeat(16)}`,
  ]);

/**
 * Runs the universal validator of ERC-6492 as a read-only call. The validator deploys the wallet's contract if needed,
 * and asks the contract whether the signature is valid (ERC-1271). Each endpoint is queried once. The check fails if
 * the contract refers to a URL (ERC-3668).
 */
export const chainContractSignatures = (endpoints: Pick<Endpoints, 'converse'>): ContractSignatures => ({
  isValid: async ({ address, hash, signature }) => {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      args: [address, hash, size(signature) < shortest ? enveloped(signature) : signature],
      bytecode: erc6492SignatureValidatorByteCode,
    });
    const request = readRequest({ data, gas: validationGas }, 'latest');
    return endpoints.converse(async (ask) => returnedAt(await ask([request]), 0) === '0x01', 1);
  },
});
