import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem';
import { encodeDeployData } from 'viem/utils';
import type { ContractSignatures } from '../../wallets/ports/contract-signatures.ts';
import type { Endpoints } from './endpoints.ts';
import { readRequest, returnedAt } from './read-calls.ts';

/** A wallet's deployment and its check take some 400,000; one that checks a passkey's curve by itself takes a few times that. */
const validationGas = 10_000_000;

/**
 * The universal validator of ERC-6492 as a call that leaves nothing on the chain: its code asks the wallet's contract
 * (ERC-1271), which it deploys before if need be. Each endpoint is asked once, and only the endpoints are: a contract
 * that names a URL (ERC-3668) has failed.
 */
export const chainContractSignatures = (endpoints: Pick<Endpoints, 'converse'>): ContractSignatures => ({
  isValid: async ({ address, hash, signature }) => {
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      args: [address, hash, signature],
      bytecode: erc6492SignatureValidatorByteCode,
    });
    const request = readRequest({ data, gas: validationGas }, 'latest');
    return endpoints.converse(async (ask) => returnedAt(await ask([request]), 0) === '0x01', 1);
  },
});
