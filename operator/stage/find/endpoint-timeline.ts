import {
  type Endpoint,
  isFailing,
  isSubscribed,
  withoutCredentials,
} from '../../../shared/notifications/endpoints/endpoint.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import { inTime, moment, type Timeline } from './timeline.ts';

export interface EndpointTimelineDependencies {
  readonly endpoints: Pick<Endpoints, 'list'>;
}

const endpointTimeline = (endpoint: Endpoint): Timeline => {
  const { applicationId, id, createdAt, removedAt, lastSuccessAt, failingSince, lastFailure } = endpoint;
  const state = !isSubscribed(endpoint) ? 'removed' : isFailing(endpoint) ? 'failing' : 'accepts';
  return {
    kind: 'endpoint',
    id: withoutCredentials(endpoint.destination),
    fields: {
      state,
      application: applicationId,
      endpoint_id: id,
      form: endpoint.isEnveloped ? 'enveloped' : 'raw',
      operations: endpoint.operationTypes.join(', '),
    },
    moments: inTime([
      moment(createdAt, 'subscribed'),
      ...(lastSuccessAt === undefined ? [] : [moment(lastSuccessAt, 'last accepted a notification')]),
      ...(failingSince === undefined ? [] : [moment(failingSince, 'began to fail')]),
      ...(lastFailure === undefined ? [] : [moment(lastFailure.at, `last failure: ${lastFailure.reason}`)]),
      ...(removedAt === undefined ? [] : [moment(removedAt, 'unsubscribed')]),
    ]),
    related: [applicationId],
    commands: [
      `subscriptions list --application ${applicationId}`,
      ...(state === 'failing' ? [`dead-letters list --application ${applicationId}`] : []),
    ],
  };
};

/** Finds endpoints by their id, or by their address as it is shown (without a user and password). */
export const findEndpoints = async (
  { endpoints }: EndpointTimelineDependencies,
  text: string,
): Promise<Timeline[]> =>
  (await endpoints.list())
    .filter(({ id, destination }) => id === text || withoutCredentials(destination) === text)
    .map(endpointTimeline);
