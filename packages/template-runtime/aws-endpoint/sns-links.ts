import type { Messaging } from '../engines/messaging/types.ts';
import { ServiceFault } from '../engines/service-fault.ts';
import { element, queryAnswer, queryFault } from './query-protocol.ts';
import type { AwsAnswer, AwsRequest } from './request.ts';

const namespace = 'http://sns.amazonaws.com/doc/2010-03-31/';

const confirm = async (messaging: Messaging, query: URLSearchParams): Promise<string> => {
  const confirmed = await messaging.subscriptions.confirm({
    topicArn: query.get('TopicArn') ?? '',
    token: query.get('Token') ?? '',
    isSigned: false,
    authenticateOnUnsubscribe: false,
  });
  return element('SubscriptionArn', confirmed.arn);
};

const unsubscribe = async (messaging: Messaging, query: URLSearchParams): Promise<string> => {
  const arn = query.get('SubscriptionArn') ?? '';
  if (messaging.subscriptions.get(arn)?.authenticateOnUnsubscribe) {
    throw new ServiceFault({
      code: 'AuthorizationError',
      message: 'Only an authenticated call can delete this subscription',
      status: 403,
    });
  }
  await messaging.subscriptions.unsubscribe(arn, 'anyone');
  return '';
};

/**
 * Answers unsigned GET requests for the links in SNS messages: the signing certificate, `SubscribeURL` and
 * `UnsubscribeURL`.
 */
export const followSnsLink = async (
  messaging: Messaging,
  request: AwsRequest,
): Promise<AwsAnswer | undefined> => {
  if (request.path === messaging.signingCertificate.path) {
    const headers = { 'content-type': 'application/x-pem-file' };
    return { status: 200, headers, body: messaging.signingCertificate.pem };
  }
  const action = request.query.get('Action');
  const follow = { ConfirmSubscription: confirm, Unsubscribe: unsubscribe }[action ?? ''];
  if (!follow || action === null) return undefined;
  try {
    return queryAnswer({ action, namespace, result: await follow(messaging, request.query) });
  } catch (error) {
    if (error instanceof ServiceFault) return queryFault(error, namespace, 'AuthorizationError');
    throw error;
  }
};
