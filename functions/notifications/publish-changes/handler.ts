import type { DynamoDBRecord } from 'aws-lambda';
import { publishChanges } from '../../../shared/notifications/publish/publish-changes.ts';
import { streamHandler } from '../stream-handler.ts';

export const publishChangesHandler = streamHandler(publishChanges<DynamoDBRecord>);
