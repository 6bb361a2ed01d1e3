import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem';
import { concat, encodeAbiParameters, encodeDeployData, parseAbiParameters, size } from 'viem/utils';
import { type Hex, zeroAddress } from '../../nft/hex.ts';
import type { ContractSignatures } from '../../wallets/ports/contract-signatures.ts';
import type { Endpoints } from './endpoints.ts';
import { readRequest, returnedAt } from './read-calls.ts';

/** A wallet's deployment and check use about 400,000 gas; computing a passkey's curve takes several times more. */
const validationGas = 10_000_000;

/** The validator reads the last 32 bytes of every signature and fails if there are fewer. A wallet may accept fewer. */
const shortest = 32;
/** Extends a short signature by ERC-6492's envelope, with nothing to deploy. */
const enveloped = (signature: Hex): Hex =>
  concat([
    encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [zeroAddress, '0x', signature]),
    `0x${'6492'.repeat(16)}`,
  ]);

/**
 * Runs the universal validator of ERC-6492 as a read-only call, which deploys the wallet's contract if needed and asks
 * it (ERC-1271). Each endpoint is queried once. A contract that refers to a URL (ERC-3668) fails the check.
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
