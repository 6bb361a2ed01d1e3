import type { Notification } from './message.ts';

/** The attribute `application_id` of a message: `application` or `application/endpoint`. */
export const addressOf = ({
  applicationId,
  endpointId,
}: Pick<Notification, 'applicationId' | 'endpointId'>): string =>
  endpointId === undefined ? applicationId : `${applicationId}/${endpointId}`;

export const parseAddress = (address: string): Pick<Notification, 'applicationId' | 'endpointId'> => {
  const [applicationId = '', endpointId] = address.split('/');
  return endpointId === undefined ? { applicationId } : { applicationId, endpointId };
};
