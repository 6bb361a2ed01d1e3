import type { IncomingHttpHeaders } from 'node:http';

export interface AwsRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** From the signature's credential scope; empty on an unsigned request. */
  readonly accessKeyId: string;
  /** The service in the signature's credential scope, e.g. `sns`; empty on an unsigned request. */
  readonly signedService: string;
}

export interface AwsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Reads `AWS4-HMAC-SHA256 Credential=<key>/<date>/<region>/<service>/aws4_request, …`. Does not verify signatures. */
export const credentialScope = (
  authorization: string | undefined,
): { readonly accessKeyId: string; readonly signedService: string } => {
  const [accessKeyId = '', , , signedService = ''] =
    /Credential=([^,\s]+)/.exec(authorization ?? '')?.[1]?.split('/') ?? [];
  return { accessKeyId, signedService };
};
