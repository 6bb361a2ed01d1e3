export const accountId = '000000000000';
export const region = 'us-east-1';

/** `arn('sqs', 'jobs')` is `arn:aws:sqs:us-east-1:000000000000:jobs`. */
export const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${accountId}:${resource}`;

export const resourceOfArn = (value: string): string => value.split(':').slice(5).join(':');
