import type { ApiKeys } from './api-keys.ts';

export interface GatewayResponseTemplate {
  readonly responseType: string;
  readonly statusCode?: number;
  /** e.g. `gatewayresponse.header.Access-Control-Allow-Origin` with the value `'*'`, including its quotes. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<string, string>>;
}

export interface MockResponse {
  readonly statusCode: number;
  /** Matched against the request template's status. Absent for the default response. */
  readonly selectionPattern?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<string, string>>;
}

export type Integration =
  | {
      readonly type: 'AWS_PROXY';
      readonly functionArn: string;
      /** The role under which the function is invoked. @default none: the function's own policy decides */
      readonly roleArn?: string;
      readonly timeoutMilliseconds: number;
    }
  | {
      readonly type: 'MOCK';
      readonly requestTemplates: Readonly<Record<string, string>>;
      readonly passthroughBehavior: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
      readonly responses: readonly MockResponse[];
    };

export interface Method {
  readonly logicalId: string;
  readonly apiId: string;
  readonly resourceId: string;
  readonly httpMethod: string;
  readonly apiKeyRequired: boolean;
  readonly integration: Integration;
}

export interface Throttle {
  readonly rateLimit?: number;
  readonly burstLimit?: number;
}

export interface Stage {
  readonly apiId: string;
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Template of an access log line, with `$context.…` variables. */
  readonly accessLogFormat?: string;
  /** The default throttle of every method. Methods are counted separately. */
  readonly throttle: Throttle;
}

export interface Page {
  readonly contentType: string;
  readonly body: Buffer;
  /** Redirects there with 302. */
  readonly location?: string;
}

/** Keyed by the path below the folder: '' and '/' are the folder itself. The folder '' is the root. */
export type Pages = ReadonlyMap<string, () => Page | Promise<Page>>;

export interface NewApi {
  readonly id: string;
  /** An API called `shop-local-base` or `base` is served under `/base`. */
  readonly name: string;
  /** Compresses bodies of at least this size, if the client accepts it. @default no compression */
  readonly minimumCompressionBytes?: number | undefined;
}

/** Works as API Gateway's REST APIs. All APIs share one port; each is served under the path that ends its name. */
export interface RestGateway {
  readonly keys: ApiKeys;
  addApi(api: NewApi): void;
  rootResourceId(apiId: string): string;
  addResource(resource: {
    readonly id: string;
    readonly apiId: string;
    readonly parentId: string;
    readonly pathPart: string;
  }): void;
  addMethod(method: Method): void;
  addStage(stage: Stage): void;
  addGatewayResponse(apiId: string, response: GatewayResponseTemplate): void;
  /** Serves pages beside the APIs, under a first path part that no API uses. */
  servePages(folder: string, pages: Pages): void;
  /** Returns the port. Throws, naming the logical id, when a method's function does not exist. */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  stop(): Promise<void>;
}
