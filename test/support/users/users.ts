import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import { byForm, type Message } from '../../../shared/notifications/messages/message.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { ApplicationUserSub } from '../../../shared/users/application-user-sub.ts';
import type { ApplicationUserSubs } from '../../../shared/users/ports/application-user-subs.ts';

export const anApplication = (overrides: Partial<Application> = {}): Application => ({
  id: 'application-1',
  name: 'An application',
  apiKeyIds: [],
  clientIds: [],
  audience: 'all',
  tier: 'standard',
  limits: { contractsPerDay: 10, mintsPerDay: 100 },
  ott: { rules: [] },
  version: 1,
  ...overrides,
});

/** What `ensureMany` returns if the applications have no identifiers yet: `registration-1-at-club` and so on. */
export const madeSubs = ({
  registrationId,
  applicationIds,
}: Parameters<ApplicationUserSubs['ensureMany']>[0]): ReadonlyMap<string, ApplicationUserSub> =>
  new Map(
    applicationIds.map((applicationId) => [
      applicationId,
      { applicationId, applicationUserSub: `${registrationId}-at-${applicationId}`, isLinked: false },
    ]),
  );

/** The user's identifier in a message. Empty if the message is not about a user. */
export const userOf = (message: Message): string =>
  byForm(message, {
    user: ({ applicationUserSub }) => applicationUserSub,
    chain: () => '',
    event: () => '',
  });

/** A record of the users table's stream. */
export const aChangeRecord = ({
  userSub = 'user-1',
  registrationId = randomUUID(),
  changedAt = '2026-11-20T09:15:02.123456',
  sequenceNumber = '100',
  eventName = 'MODIFY',
  isRemoved = false,
}: {
  readonly userSub?: string;
  readonly registrationId?: string;
  readonly changedAt?: string;
  readonly sequenceNumber?: string;
  readonly eventName?: 'INSERT' | 'MODIFY' | 'REMOVE';
  /** Whether the record says that the user was deleted. */
  readonly isRemoved?: boolean;
} = {}): DynamoDBRecord => ({
  eventID: randomUUID(),
  eventName,
  eventSource: 'aws:dynamodb',
  dynamodb: {
    Keys: { user_sub: { S: userSub } },
    ...(eventName === 'REMOVE'
      ? {}
      : {
          NewImage: {
            user_sub: { S: userSub },
            registration_id: { S: registrationId },
            version: { N: '1' },
            changed_at: { S: changedAt },
            ...(isRemoved
              ? { is_removed: { BOOL: true }, expires_at: { N: '1800000000' } }
              : { user_data: { S: '{}' }, user_agreements: { S: '[]' } }),
          },
        }),
    SequenceNumber: sequenceNumber,
    StreamViewType: 'NEW_IMAGE',
  },
});
