import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem';
import { concat, encodeAbiParameters, encodeDeployData, parseAbiParameters, size } from 'viem/utils';
import { type Hex, zeroAddress } from '../../nft/hex.ts';
import type { ContractSignatures } from '../../wallets/ports/contract-signatures.ts';
import type { Endpoints } from './endpoints.ts';
import { readRequest, returnedAt } from './read-calls.ts';

/** A wallet's deployment and its check take some 400,000; one that checks a passkey's curve by itself takes a few times that. */
const validationGas = 10_000_000;

/** The validator looks at the last 32 bytes before it asks, and fails where there are fewer. A wallet may need none. */
const shortest = 32;
/** ERC-6492's envelope, with nothing to deploy. */
const enveloped = (signature: Hex): Hex =>
  concat([
    encodeAbiParameters(parseAbiParameters('address, bytes, bytes'), [zeroAddress, '0x', signature]),
    `0x${'6492'.repeat(16)}`,
  ]);

/**
 * The universal validator of ERC-6492 as a call that leaves nothing on the chain: its code asks the wallet's contract
 * (ERC-1271), which it deploys before if need be. Each endpoint is asked once, and only the endpoints are: a contract
 * that names a URL (ERC-3668) has failed.
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
