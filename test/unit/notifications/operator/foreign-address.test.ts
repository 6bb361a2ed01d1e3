import { describe, expect, it } from 'vitest';
import {
  type OwnPlaces,
  requireForeignAddress,
} from '../../../../operator/notifications/subscriptions/foreign-address.ts';

const own: OwnPlaces = {
  stackName: 'Marquee-prod',
  topicArn: 'arn:aws:sns:eu-central-1:111122223333:Marquee-prod-Topic',
  urls: [
    'https://api.marquee.example/base',
    'https://abc123.execute-api.eu-central-1.amazonaws.com/prod',
    'https://entitlement.example/v1',
  ],
  isLocal: false,
};
const queue = 'arn:aws:sqs:eu-central-1:111122223333';

describe('subscriptions add', () => {
  it.each([
    `${queue}:Marquee-prod-UserDataRecordQueue5A1B-Xy`,
    `${queue}:Marquee-prod-UserDataNotificationsDeadLetters`,
    'https://api.marquee.example/notify',
    'https://API.marquee.example.:443/',
    'https://abc123.execute-api.eu-central-1.amazonaws.com/prod/api',
    'https://entitlement.example/',
    'https://sqs.eu-central-1.amazonaws.com/444455556666/theirs',
    'https://sns.eu-central-1.amazonaws.com/',
    'http://169.254.169.254/latest/meta-data',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://[fd00:ec2::254]/latest',
    'http://[fe80::1]/',
    'http://metadata.google.internal/',
    'http://0.0.0.0/',
    'https://127.0.0.1:4000/',
    'https://localhost/',
    'https://receiver.local/',
    'https://10.1.2.3/',
    'https://192.168.1.1/',
    'https://[::1]/',
    'https://intranet/',
  ])('refuses %s, which no customer can have', (endpoint) => {
    expect(() => requireForeignAddress(endpoint, own)).toThrow(/^(arn|https?):/);
  });

  it.each([
    'https://club.example.com/notify',
    'https://club.example.com:8443/notify',
    'https://xyz789.execute-api.eu-central-1.amazonaws.com/prod',
    'https://theirs.lambda-url.eu-central-1.on.aws/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://api.marquee.example:8443/',
    'arn:aws:sqs:eu-central-1:444455556666:Marquee-prod-theirs',
    `${queue}:theirs`,
    `${queue}:Marquee-production`,
  ])('accepts %s', (endpoint) => {
    expect(() => requireForeignAddress(endpoint, own)).not.toThrow();
  });

  it('accepts addresses of this machine in the local system only, but not those of the system itself', () => {
    const local = { ...own, isLocal: true, urls: ['http://127.0.0.1:3000/base', 'http://127.0.0.1:4566'] };

    expect(() => requireForeignAddress('http://127.0.0.1:4000/', local)).not.toThrow();
    expect(() => requireForeignAddress('http://localhost:4000/', local)).not.toThrow();
    expect(() => requireForeignAddress('http://127.0.0.1:3000/', local)).toThrow('service itself');
    expect(() => requireForeignAddress('http://localhost:3000/', local)).toThrow('service itself');
    expect(() => requireForeignAddress('http://169.254.169.254/', local)).toThrow('credentials');
  });
});
