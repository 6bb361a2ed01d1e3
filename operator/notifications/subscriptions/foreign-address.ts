import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isQueue } from '../../../shared/notifications/endpoints/endpoint.ts';
import type { Target } from '../../platform/target/target.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';

/** What belongs to the stage itself. */
export interface OwnPlaces {
  readonly stackName: string;
  readonly topicArn: string;
  /** Any URLs of the stage: of its APIs, and of the services that it calls. */
  readonly urls: readonly string[];
  /** A stage whose APIs are on this machine notifies endpoints of this machine. */
  readonly isLocal: boolean;
}

const urlOutputs = [
  'BaseUrl',
  'ApiUrlB2b',
  'ApiUrlProfile',
  'OwnBaseUrl',
  'OwnApiUrlB2b',
  'OwnApiUrlProfile',
  'EntitlementServiceUrl',
  'GeolocationServiceUrl',
] as const;

/** A stage behind a distribution may have no geolocation service. */
const ifPresent = (target: Pick<Target, 'output'>, name: (typeof urlOutputs)[number]): readonly string[] => {
  try {
    return [target.output(name)];
  } catch (error) {
    if (error instanceof OperatorError) return [];
    throw error;
  }
};

export const ownPlacesOf = (target: Pick<Target, 'stage' | 'isLocal' | 'output' | 'aws'>): OwnPlaces => ({
  stackName: `Marquee-${target.stage}`,
  topicArn: target.output('TopicArn'),
  urls: [
    ...urlOutputs.flatMap((name) => ifPresent(target, name)),
    ...(target.aws.endpoint ? [target.aws.endpoint] : []),
  ],
  isLocal: target.isLocal || new URL(target.output('BaseUrl')).hostname === '127.0.0.1',
});

const blockListOf = (subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
};

/** Where clouds tell machines their credentials (link-local, and fd00:ec2::254 of AWS), and what is no host at all. */
const neverHosts = blockListOf([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::/128',
  'fe80::/10',
  'fd00:ec2::/32',
  'ff00::/8',
]);
const privateHosts = blockListOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
]);

const isIn = (list: BlockList, host: string): boolean =>
  isIPv4(host) ? list.check(host) : isIPv6(host) && list.check(host, 'ipv6');

/** Names that only a private network or a cloud's own resolver knows. */
const neverNames = /(^|\.)(internal|metadata\.azure\.com|instance-data)$/;
const privateNames = /(^|\.)(localhost|local|lan|home\.arpa)$|^[^.:]+$/;

/** The host as `URL` writes it, which knows all forms of an IP address, without brackets and a dot at its end. */
const hostnameOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

const hostOf = (url: URL): string =>
  `${hostnameOf(url).replace(/^localhost$/, '127.0.0.1')}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;

const isAwsItself =
  /^(sqs|sns|lambda|sts|events|states|kms|dynamodb)[.-][a-z0-9-]+(\.[a-z0-9-]+)*\.(amazonaws\.com(\.cn)?|api\.aws)$|^([a-z0-9-]+\.)?queue\.amazonaws\.com$/;

const refuseQueue = (arn: string, { stackName, topicArn }: OwnPlaces): void => {
  const [, partition, , region, account] = topicArn.split(':');
  if (!arn.startsWith(`arn:${partition}:sqs:${region}:${account}:${stackName}-`)) return;
  throw new UsageError({
    message: `${arn} is a queue of the service itself. Messages in it would be taken for its own work, and circle. Name a queue of the customer.`,
  });
};

const refuseUrl = (endpoint: string, { urls, isLocal }: OwnPlaces): void => {
  const url = URL.parse(endpoint);
  if (url === null) return;
  const refuse = (why: string) => {
    throw new UsageError({ message: `${url.protocol}//${url.host} ${why}` });
  };
  const host = hostnameOf(url);
  const own = urls.flatMap((each) => URL.parse(each) ?? []);
  if (own.some((each) => hostOf(each) === hostOf(url)))
    refuse(
      'is an address of the service itself, or of a service that it calls. Name an address of the customer.',
    );
  if (isAwsItself.test(host))
    refuse(
      'is an address of AWS itself, which cannot confirm a subscription. To notify a queue, give its ARN.',
    );
  if (isIn(neverHosts, host) || neverNames.test(host))
    refuse('is no address of a customer: machines ask such addresses for their own credentials.');
  if (!isLocal && (isIn(privateHosts, host) || privateNames.test(host)))
    refuse('is an address of a private network, which SNS cannot reach.');
};

/**
 * Refuses endpoints that no customer can have: those of the stage itself, of AWS, of a machine's metadata, and of private
 * networks. A name that leads to such an address is not noticed; SNS itself sends only to public addresses.
 * @throws UsageError
 */
export const requireForeignAddress = (endpoint: string, own: OwnPlaces): void => {
  if (isQueue(endpoint)) refuseQueue(endpoint, own);
  else refuseUrl(endpoint, own);
};
