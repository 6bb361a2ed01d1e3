import {
  getReplayOperation,
  listEndpointsOperation,
  listNotificationsOperation,
} from '../../../shared/notifications/http/operations.ts';
import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { operationFunction, operationsFunction } from '../../../shared/platform/http/operation-function.ts';
import { showDependencies, showEnvironment } from '../dependencies.ts';
import { getReplayHandler } from './get-replay-handler.ts';
import { listEndpointsHandler } from './list-endpoints-handler.ts';
import { listNotificationsHandler } from './list-notifications-handler.ts';

const environment = parseEnvironment(showEnvironment);
export type Environment = typeof environment;
const dependencies = showDependencies(environment);

export const handler = operationsFunction([
  [
    listNotificationsOperation,
    operationFunction(listNotificationsOperation, listNotificationsHandler(dependencies)),
  ],
  [listEndpointsOperation, operationFunction(listEndpointsOperation, listEndpointsHandler(dependencies))],
  [getReplayOperation, operationFunction(getReplayOperation, getReplayHandler(dependencies))],
]);
