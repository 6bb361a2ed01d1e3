export const accountId = '000000000000';
/**
 * The account that an access key belongs to. As a convention of this runtime, an access key of twelve digits stands for
 * the root user of the account with that number. All other access keys belong to the stack's own account.
 */
export const accountOfKey = (accessKeyId: string): string =>
  /^\d{12}$/.test(accessKeyId) ? accessKeyId : accountId;

export const region = 'us-east-1';

/** `arn('sqs', 'jobs')` is `arn:aws:sqs:us-east-1:000000000000:jobs`. */
export const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${accountId}:${resource}`;

/** The account of a resource. Empty for resources without an account, such as buckets, and for `*`. */
export const accountOfArn = (value: string): string => value.split(':')[4] ?? '';

export const resourceOfArn = (value: string): string => value.split(':').slice(5).join(':');
