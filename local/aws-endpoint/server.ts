import type { Engines } from '../engines/engines.ts';

/** A deployed stack, as CloudFormation describes it. */
export interface StackDescription {
  readonly name: string;
  readonly arn: string;
  readonly description?: string;
  readonly creationTime: Date;
  readonly parameters: Readonly<Record<string, string>>;
  readonly outputs: readonly {
    readonly key: string;
    readonly value: string;
    readonly description?: string;
    readonly exportName?: string;
  }[];
  readonly resources: readonly {
    readonly logicalId: string;
    readonly physicalId: string;
    readonly type: string;
  }[];
}

export interface AwsEndpoint {
  /** `http://127.0.0.1:<port>`; the port speaks TLS as well, under the certificate of `certificateAuthorityFile`. */
  readonly url: string;
  readonly port: number;
  /** PEM, made once and kept in the state directory: what a client trusts to read `https://127.0.0.1:<port>/…`. */
  readonly certificateAuthorityFile: string;
  /** Until this is called, every request is answered 503. */
  serve(services: { readonly engines: Engines; readonly stacks: () => readonly StackDescription[] }): void;
  stop(): Promise<void>;
}

export interface AwsEndpointOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly stateDirectory: string;
  /** One line for each request that failed inside the endpoint. */
  readonly log: (line: string) => void;
}
