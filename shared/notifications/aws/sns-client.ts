import { SNSClient } from '@aws-sdk/client-sns';
import { type AwsClientOptions, clientConfig } from '../../platform/aws/client.ts';

export const snsClient = (options: AwsClientOptions): SNSClient => new SNSClient(clientConfig(options));
