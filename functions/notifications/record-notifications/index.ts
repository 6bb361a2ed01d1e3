import { parseEnvironment } from '../../../shared/platform/environment.ts';
import { recorderDependencies, redeliveryEnvironment } from '../dependencies.ts';
import { recordNotificationsHandler } from './handler.ts';

const environment = parseEnvironment(redeliveryEnvironment);
export type Environment = typeof environment;

export const handler = recordNotificationsHandler(recorderDependencies(environment));
