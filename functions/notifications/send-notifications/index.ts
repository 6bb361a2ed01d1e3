import { sendTestOperation, startReplayOperation } from '../../../shared/notifications/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { sendDependencies, sendEnvironment } from '../dependencies.ts';
import { sendTestHandler } from './send-test-handler.ts';
import { startReplayHandler } from './start-replay-handler.ts';

const environment = parseEnvironment(sendEnvironment);
export type Environment = typeof environment;
const dependencies = sendDependencies(environment);

export const handler = operationsFunction([
  [sendTestOperation, operationFunction(sendTestOperation, sendTestHandler(dependencies))],
  [startReplayOperation, operationFunction(startReplayOperation, startReplayHandler(dependencies))],
]);
