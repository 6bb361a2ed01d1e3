import { mintTokenOperation, setDestinationOperation } from '../../../shared/nft/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { givingDependencies, givingEnvironment } from '../token-dependencies.ts';
import { mintTokenHandler } from './handler.ts';
import { setTokenDestinationHandler } from './set-destination-handler.ts';

const environment = parseEnvironment(givingEnvironment);
export type Environment = typeof environment;
const dependencies = givingDependencies(environment);

export const handler = operationsFunction([
  [mintTokenOperation, operationFunction(mintTokenOperation, mintTokenHandler(dependencies))],
  [
    setDestinationOperation,
    operationFunction(setDestinationOperation, setTokenDestinationHandler(dependencies)),
  ],
]);
