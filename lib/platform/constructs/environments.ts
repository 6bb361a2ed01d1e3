import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';

/** Each function's environment, as its schema requires it. The imports are only types: synthesis loads no function. */
interface Environments {
  'account/erase-user': import('../../../functions/account/erase-user/index.ts').Environment;
  'account/export-user': import('../../../functions/account/export-user/index.ts').Environment;
  'account/forget-users': import('../../../functions/account/forget-users/index.ts').Environment;
  'account/preview-erasure': import('../../../functions/account/preview-erasure/index.ts').Environment;
  'nft/claim-token': import('../../../functions/nft/claim-token/index.ts').Environment;
  'nft/create-contract': import('../../../functions/nft/create-contract/index.ts').Environment;
  'nft/get-token-owner': import('../../../functions/nft/get-token-owner/index.ts').Environment;
  'nft/list-user-tokens': import('../../../functions/nft/list-user-tokens/index.ts').Environment;
  'nft/mint-batch': import('../../../functions/nft/mint-batch/index.ts').Environment;
  'nft/mint-token': import('../../../functions/nft/mint-token/index.ts').Environment;
  'nft/revoke-token': import('../../../functions/nft/revoke-token/index.ts').Environment;
  'nft/run-waiter': import('../../../functions/nft/run-waiter/index.ts').Environment;
  'nft/set-royalty': import('../../../functions/nft/set-royalty/index.ts').Environment;
  'nft/show-collections': import('../../../functions/nft/show-collections/index.ts').Environment;
  'nft/show-metadata': import('../../../functions/nft/show-metadata/index.ts').Environment;
  'nft/update-contract-metadata': import('../../../functions/nft/update-contract-metadata/index.ts').Environment;
  'nft/update-metadata-batch': import('../../../functions/nft/update-metadata-batch/index.ts').Environment;
  'nft/update-token-metadata': import('../../../functions/nft/update-token-metadata/index.ts').Environment;
  'nft/watch-signers': import('../../../functions/nft/watch-signers/index.ts').Environment;
  'notifications/forward-deliveries': import('../../../functions/notifications/forward-deliveries/index.ts').Environment;
  'notifications/publish-changes': import('../../../functions/notifications/publish-changes/index.ts').Environment;
  'notifications/publish-events': import('../../../functions/notifications/publish-events/index.ts').Environment;
  'notifications/record-notifications': import('../../../functions/notifications/record-notifications/index.ts').Environment;
  'notifications/run-replays': import('../../../functions/notifications/run-replays/index.ts').Environment;
  'notifications/send-notifications': import('../../../functions/notifications/send-notifications/index.ts').Environment;
  'notifications/show-notifications': import('../../../functions/notifications/show-notifications/index.ts').Environment;
  'ott/apply-schedules': import('../../../functions/ott/apply-schedules/index.ts').Environment;
  'ott/edit-catalogue': import('../../../functions/ott/edit-catalogue/index.ts').Environment;
  'ott/end-stream': import('../../../functions/ott/end-stream/index.ts').Environment;
  'ott/get-event': import('../../../functions/ott/get-event/index.ts').Environment;
  'ott/get-stream': import('../../../functions/ott/get-stream/index.ts').Environment;
  'ott/list-events': import('../../../functions/ott/list-events/index.ts').Environment;
  'ott/void-token': import('../../../functions/ott/void-token/index.ts').Environment;
  'platform/check-stage': import('../../../functions/platform/check-stage/index.ts').Environment;
  'platform/get-document': import('../../../functions/platform/get-document/index.ts').Environment;
  'users/exchange-user-subs': import('../../../functions/users/exchange-user-subs/index.ts').Environment;
  'users/get-application-user-sub': import('../../../functions/users/get-application-user-sub/index.ts').Environment;
  'users/get-user-data': import('../../../functions/users/get-user-data/index.ts').Environment;
  'users/put-user-data': import('../../../functions/users/put-user-data/index.ts').Environment;
  'users/read-user-data': import('../../../functions/users/read-user-data/index.ts').Environment;
  'wallets/create-wallet-challenge': import('../../../functions/wallets/create-wallet-challenge/index.ts').Environment;
  'wallets/link-wallet': import('../../../functions/wallets/link-wallet/index.ts').Environment;
  'wallets/list-wallets': import('../../../functions/wallets/list-wallets/index.ts').Environment;
}

/** A function, identified by its folder under functions/. */
export type FunctionFolder = keyof Environments;

/** Variables that the construct `MarqueeFunction` sets for every function. */
type Common = 'POWERTOOLS_METRICS_NAMESPACE' | 'POWERTOOLS_SERVICE_NAME';

/** Environment variables are strings. Even an optional variable must be listed, but its value can be `undefined`. */
type Texts<Parsed> = Parsed extends unknown
  ? { readonly [Name in Exclude<keyof Parsed, Common>]: Text<Parsed[Name]> }
  : never;

type Text<Value> = Value extends string | undefined ? Value : string;

/** The environment variables of a function. Code with a missing or misspelt name does not compile. */
export type EnvironmentOf<Named extends FunctionFolder> = Texts<Environments[Named]>;

/** Actions that a function may perform on a resource, and the variables that tell it the resource's name or ARN. */
export interface Permission<Names extends string> extends PolicyStatementProps {
  readonly variables: Readonly<Record<Names, string>>;
}

export const variableOf = <Name extends string>(name: Name, value: string) =>
  ({ [name]: value }) as Readonly<Record<Name, string>>;

/** A permission for which environment variables are optional. */
export type Statement = PolicyStatementProps & Partial<Permission<string>>;

type NamesIn<Each> = Each extends { readonly variables: infer Variables } ? keyof Variables : never;

type Without<Each, Names> = Each extends unknown ? Omit<Each, Names & keyof Each> : never;

/** The function's environment variables, except those that come with its permissions. */
export type RestOf<Named extends FunctionFolder, May extends readonly Statement[]> = Without<
  EnvironmentOf<Named>,
  NamesIn<May[number]>
>;
