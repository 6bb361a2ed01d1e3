import type { Notification } from './message.ts';

/**
 * The addressee of a message, in its attribute `application_id`: `application` or `application/endpoint`. An
 * application's id has no slash.
 */
export const addressOf = ({
  applicationId,
  endpointId,
}: Pick<Notification, 'applicationId' | 'endpointId'>): string =>
  endpointId === undefined ? applicationId : `${applicationId}/${endpointId}`;

export const parseAddress = (address: string): Pick<Notification, 'applicationId' | 'endpointId'> => {
  const [applicationId = '', endpointId] = address.split('/');
  return endpointId === undefined ? { applicationId } : { applicationId, endpointId };
};
