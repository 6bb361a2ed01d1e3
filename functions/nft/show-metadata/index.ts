import {
  getContractMetadataOperation,
  getTokenMetadataOperation,
} from '../../../shared/nft/http/read-operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { publicMetadataDependencies, publicMetadataEnvironment } from '../reading-dependencies.ts';
import { getContractMetadataHandler } from './get-contract-metadata-handler.ts';
import { getTokenMetadataHandler } from './get-token-metadata-handler.ts';

const environment = parseEnvironment(publicMetadataEnvironment);
export type Environment = typeof environment;
const dependencies = publicMetadataDependencies(environment);

export const handler = operationsFunction([
  [
    getContractMetadataOperation,
    operationFunction(getContractMetadataOperation, getContractMetadataHandler(dependencies)),
  ],
  [
    getTokenMetadataOperation,
    operationFunction(getTokenMetadataOperation, getTokenMetadataHandler(dependencies)),
  ],
]);
