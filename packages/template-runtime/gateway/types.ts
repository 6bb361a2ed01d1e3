import type { ApiKeys } from './api-keys.ts';

export interface GatewayResponseTemplate {
  readonly responseType: string;
  readonly statusCode?: number;
  /** e.g. `gatewayresponse.header.Access-Control-Allow-Origin` → `'*'` with its quotes. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly templates: Readonly<Record<string, string>>;
}

export interface MockResponse {
  readonly statusCode: number;
  /** Matched against the request template's status; absent for the default one. */
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
  /** `$context.…` template of one line of the access log. */
  readonly accessLogFormat?: string;
  /** The default of every method; each method counts separately. */
  readonly throttle: Throttle;
}

export interface Page {
  readonly contentType: string;
  readonly body: Buffer;
  /** Redirects with 302. */
  readonly location?: string;
}

/** By the path below the folder that serves them: '' and '/' are the folder itself. The folder '' is the root. */
export type Pages = ReadonlyMap<string, () => Page | Promise<Page>>;

export interface NewApi {
  readonly id: string;
  /** An API called `shop-local-base` or `base` is served under `/base`. */
  readonly name: string;
  /** The shortest body that is compressed for who accepts it. Left out: none is. */
  readonly minimumCompressionBytes?: number | undefined;
}

/** The local stand-in for API Gateway's REST APIs: every API on one port, under the path that ends its name. */
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
