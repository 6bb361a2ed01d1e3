import * as z from 'zod';
import { ottDependencies, ottEnvironment } from '../../../shared/adapters/ott-dependencies.ts';
import { parseEnvironment } from '../../../shared/environment.ts';
import { operationFunction } from '../../../shared/http/operation.ts';
import { getEventOperation } from '../../../shared/ott/operations.ts';
import { getEventHandler } from './handler.ts';

const environment = parseEnvironment(z.object(ottEnvironment));
const { identifyCaller, resolveAudience, events } = ottDependencies(environment);

export const handler = operationFunction(
  getEventOperation,
  getEventHandler({ identifyCaller, resolveAudience, events }),
);
