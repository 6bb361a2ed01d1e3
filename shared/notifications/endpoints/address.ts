import type { Notification } from '../messages/message.ts';

/**
 * The SNS message attribute `application_id`: the application's id, or `application/endpoint` if only one endpoint is
 * to receive the message.
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
