import type { DynamoDBRecord } from 'aws-lambda';
import { forgetUsers } from '../../../shared/account/forget-users.ts';
import { streamHandler } from '../../notifications/stream-handler.ts';

export const forgetUsersHandler = streamHandler(forgetUsers<DynamoDBRecord>);
