import {
  type Endpoint,
  isFailing,
  isSubscribed,
  withoutCredentials,
} from '../../../shared/notifications/endpoints/endpoint.ts';
import { countedAtMost } from '../../../shared/notifications/endpoints/list-endpoints.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import type { Undelivered } from '../../../shared/notifications/ports/undelivered.ts';
import { subjectsText } from '../status/endpoints-now.ts';
import { inTime, moment, type Timeline } from './timeline.ts';

export interface EndpointTimelineDependencies {
  readonly endpoints: Pick<Endpoints, 'list'>;
  readonly undelivered: Pick<Undelivered, 'count'>;
}

const endpointTimeline = (endpoint: Endpoint, subjects: number): Timeline => {
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
      ...(subjects > 0 && { undelivered: subjectsText(subjects) }),
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
      ...(state === 'failing' || subjects > 0 ? [`dead-letters list --application ${applicationId}`] : []),
    ],
  };
};

/** Finds endpoints by their id, or by their address as it is shown (without a user and password). */
export const findEndpoints = async (
  { endpoints, undelivered }: EndpointTimelineDependencies,
  text: string,
): Promise<Timeline[]> => {
  const found = (await endpoints.list()).filter(
    ({ id, destination }) => id === text || withoutCredentials(destination) === text,
  );
  return Promise.all(
    found.map(async (endpoint) => {
      const isRedelivered = isSubscribed(endpoint) && endpoint.redelivery !== undefined;
      const subjects = isRedelivered ? await undelivered.count(endpoint, countedAtMost) : 0;
      return endpointTimeline(endpoint, subjects);
    }),
  );
};
