import type { IncomingHttpHeaders } from 'node:http';
import { ServiceFault } from '../engines/service-fault.ts';

export interface AwsRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** From the signature's credential scope; empty on an unsigned request. */
  readonly accessKeyId: string;
  /** The Region in the signature's credential scope; empty on an unsigned request. */
  readonly signedRegion: string;
  /** The service in the signature's credential scope, e.g. `sns`; empty on an unsigned request. */
  readonly signedService: string;
}

export interface AwsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** The error for a call of a service that the local runtime does not have. */
export const unsupported = (
  { method, path }: Pick<AwsRequest, 'method' | 'path'>,
  code = 'UnknownOperationException',
): ServiceFault =>
  new ServiceFault({ code, message: `The local runtime does not support ${method} ${path}.`, status: 404 });

/** Reads `AWS4-HMAC-SHA256 Credential=<key>/<date>/<region>/<service>/aws4_request, …`. Does not verify signatures. */
export const credentialScope = (
  authorization: string | undefined,
): Pick<AwsRequest, 'accessKeyId' | 'signedRegion' | 'signedService'> => {
  const [accessKeyId = '', , signedRegion = '', signedService = ''] =
    /Credential=([^,\s]+)/.exec(authorization ?? '')?.[1]?.split('/') ?? [];
  return { accessKeyId, signedRegion, signedService };
};
