/** The parts of a request that a rule of a web ACL can examine. */
export interface WebRequest {
  /** Begins with the name of the API's stage. */
  readonly uriPath: string;
  readonly method: string;
  readonly sourceIp: string;
  /** Returns the value of a header. The name must be in lower case. */
  header(name: string): string | undefined;
}

export interface CustomResponse {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: string;
}

/** Requests that have the same keys are counted together. A request that lacks one of the keys is not counted. */
export type AggregateKey = { readonly kind: 'ip' } | { readonly kind: 'header'; readonly name: string };

export interface WebRule {
  readonly metricName: string;
  readonly priority: number;
  /** Whether the conditions of the rule match this request. */
  readonly matches: (request: WebRequest) => boolean;
  /** The rule blocks only requests above this rate. @default the rule blocks all requests that match */
  readonly rate?: {
    /** The number of requests in the window above which the rule blocks. */
    readonly limit: number;
    readonly windowSeconds: number;
    readonly keys: readonly AggregateKey[];
  };
  /** @default 403, as API Gateway answers it */
  readonly response?: CustomResponse;
}

export interface WebAcl {
  readonly arn: string;
  readonly id: string;
  readonly name: string;
  readonly metricName: string;
  readonly rules: readonly WebRule[];
  readonly tags?: Readonly<Record<string, string>>;
  /** The definition as WAF's calls show it. */
  readonly written: Readonly<Record<string, unknown>>;
}

export interface Blocked {
  readonly response: CustomResponse | undefined;
}

/** Imitates the rules that a web ACL itself contains, but not those of AWS's rule groups. Counts are kept in memory. */
export interface Firewalls {
  addAcl(acl: WebAcl): void;
  /** Finds a web ACL; `undefined` if there is none. The lock token changes whenever the web ACL changes. */
  find(id: string): { readonly acl: WebAcl; readonly lockToken: string } | undefined;
  /** Replaces rules. The counts of requests start at zero again. */
  update(id: string, change: Pick<WebAcl, 'rules' | 'written'>): void;
  /** Puts a web ACL in front of a resource. */
  associate(resourceArn: string, aclArn: string): void;
  /** Counts a request to a resource. `undefined` if no rule blocks it. */
  judge(resourceArn: string, request: WebRequest): Blocked | undefined;
}
