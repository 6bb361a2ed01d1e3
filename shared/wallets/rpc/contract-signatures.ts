import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem';
import { concatHex, encodeAbiParameters, encodeDeployData } from 'viem/utils';
import type { RpcAnswer, RpcRequest } from '../../chain/rpc/json-rpc.ts';
import { readRequest, returnedAt } from '../../chain/rpc/read-calls.ts';
import type { RpcEndpoints } from '../../chain/rpc/rpc-endpoints.ts';
import { hex, resultOf } from '../../chain/rpc/wire.ts';
import type { ContractSignatures } from '../ports/contract-signatures.ts';
import { formsOf, unwrapped } from '../signature.ts';

/**
 * Deploying a wallet's contract and checking a signature takes about 400,000 gas, or several times as much if the
 * contract itself does the elliptic-curve arithmetic for a passkey.
 */
const validationGas = 10_000_000;

/**
 * The selector of ERC-1271's `isValidSignature(bytes32,bytes)`, which is also what it returns for a valid signature.
 */
const isValidSignature = '0x1626ba7e';
const valid = isValidSignature.padEnd(66, '0');
const hashAndSignature = [{ type: 'bytes32' }, { type: 'bytes' }] as const;

const noCode = '0x';

/**
 * Asks the wallet's contract whether a signature is valid, in each of its forms. Each endpoint is queried once. The check
 * fails if the contract refers to a URL (ERC-3668).
 *
 * An address with code is asked by ERC-1271 only: the call that an ERC-6492 envelope wants to make first could change
 * what the contract answers, for example initialise an account whose owner has only delegated it (EIP-7702). If the
 * address has no code, the universal validator of ERC-6492 deploys the contract within a read-only call.
 */
export const chainContractSignatures = (endpoints: Pick<RpcEndpoints, 'converse'>): ContractSignatures => ({
  isValid: async ({ address, hash, signature }) => {
    const inner = unwrapped(signature);
    if (inner === undefined) return false;
    const questions = formsOf(inner).map((form) => {
      const data = concatHex([isValidSignature, encodeAbiParameters(hashAndSignature, [hash, form])]);
      return readRequest({ to: address, data, gas: validationGas }, 'latest');
    });
    const code: RpcRequest = { method: 'eth_getCode', params: [address, 'latest'] };
    const codeAt = (answers: readonly RpcAnswer[], index: number) => resultOf(answers, index, hex);

    return endpoints.converse(async (ask) => {
      const asked = await ask([...questions, code]);
      if (codeAt(asked, questions.length) !== noCode) {
        return questions.some((_, index) => returnedAt(asked, index)?.slice(0, valid.length) === valid);
      }
      if (inner === signature) return false;

      const validation = encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        args: [address, hash, signature],
        bytecode: erc6492SignatureValidatorByteCode,
      });
      // The code is read after the validation, so no code can have come in between.
      const validated = await ask([readRequest({ data: validation, gas: validationGas }, 'latest'), code]);
      return codeAt(validated, 1) === noCode && returnedAt(validated, 0) === '0x01';
    }, 1);
  },
});
