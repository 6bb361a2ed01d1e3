/** What a rule of a web ACL sees of a request. */
export interface WebRequest {
  /** Begins with the name of the API's stage. */
  readonly uriPath: string;
  readonly sourceIp: string;
  header(name: string): string | undefined;
}

export interface CustomResponse {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string;
}

/** Requests that have the same keys are counted together. A request that lacks one of the keys is not counted. */
export type AggregateKey = { readonly kind: 'ip' } | { readonly kind: 'header'; readonly name: string };

export interface RateRule {
  readonly metricName: string;
  readonly priority: number;
  /** The number of requests in the window above which the rule blocks. */
  readonly limit: number;
  readonly windowSeconds: number;
  readonly keys: readonly AggregateKey[];
  /** Only requests whose path matches are counted and blocked. @default all requests */
  readonly path?: RegExp;
  /** @default 403, as API Gateway answers it */
  readonly response?: CustomResponse;
}

export interface WebAcl {
  readonly arn: string;
  readonly metricName: string;
  readonly rules: readonly RateRule[];
}

export interface Blocked {
  readonly response: CustomResponse | undefined;
}

/** Imitates WAF's rate-based rules. Counts are kept in memory. */
export interface Firewalls {
  addAcl(acl: WebAcl): void;
  /** Puts a web ACL in front of a resource. */
  associate(resourceArn: string, aclArn: string): void;
  /** Counts a request to a resource. `undefined` if no rule blocks it. */
  judge(resourceArn: string, request: WebRequest): Blocked | undefined;
}
