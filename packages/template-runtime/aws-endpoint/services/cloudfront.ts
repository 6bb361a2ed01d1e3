import { XMLParser } from 'fast-xml-parser';
import * as z from 'zod';
import { accountId } from '../../engines/account.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import type { Call } from '../call.ts';
import { element, xmlAnswer } from '../query-protocol.ts';
import { type AwsAnswer, type AwsRequest, unsupported } from '../request.ts';

const namespace = 'http://cloudfront.amazonaws.com/doc/2020-05-31/';
const folder = '/2020-05-31/function';
/** In bytes (Developer Guide, *Quotas on CloudFront Functions*). */
const largestCode = 10 * 1024;

const parser = new XMLParser({ parseTagValue: false });
const creation = z.object({
  CreateFunctionRequest: z.object({
    Name: z.string().regex(/^[a-zA-Z0-9-_]{1,64}$/),
    FunctionConfig: z.object({
      Comment: z.string(),
      Runtime: z.enum(['cloudfront-js-1.0', 'cloudfront-js-2.0']),
    }),
    FunctionCode: z.base64(),
  }),
});

interface StoredFunction {
  readonly name: string;
  readonly comment: string;
  readonly runtime: string;
  readonly etag: string;
  readonly stage: 'DEVELOPMENT' | 'LIVE';
}

const functionArn = (name: string): string => `arn:aws:cloudfront::${accountId}:function/${name}`;

const summary = ({ name, comment, runtime, stage }: StoredFunction): string =>
  `<FunctionSummary xmlns="${namespace}">${element('Name', name)}${element('Status', 'UNPUBLISHED')}` +
  `<FunctionConfig>${element('Comment', comment)}${element('Runtime', runtime)}</FunctionConfig>` +
  `<FunctionMetadata>${element('FunctionARN', functionArn(name))}${element('Stage', stage)}` +
  `${element('LastModifiedTime', new Date(0).toISOString())}</FunctionMetadata></FunctionSummary>`;

/**
 * CreateFunction and PublishFunction, with the checks that CloudFront makes before it runs a function. No distribution
 * uses these functions, and they are forgotten when the system stops.
 */
export const cloudFrontService = () => {
  const functions = new Map<string, StoredFunction>();

  const create = (request: AwsRequest, call: Call): AwsAnswer => {
    const parsed = creation.safeParse(parser.parse(request.body.toString('utf8')));
    if (!parsed.success) {
      throw new ServiceFault({ code: 'InvalidArgument', message: z.prettifyError(parsed.error) });
    }
    const { Name: name, FunctionConfig, FunctionCode } = parsed.data.CreateFunctionRequest;
    call.allow('cloudfront:CreateFunction', functionArn(name));
    const code = Buffer.from(FunctionCode, 'base64');
    if (code.length > largestCode) {
      throw new ServiceFault({ code: 'FunctionSizeLimitExceeded', message: 'It is too large.', status: 413 });
    }
    if (!/\bfunction\s+handler\s*\(/.test(code.toString('utf8'))) {
      throw new ServiceFault({ code: 'InvalidArgument', message: 'The code has no function "handler".' });
    }
    if (functions.has(name)) {
      throw new ServiceFault({ code: 'FunctionAlreadyExists', message: `${name} exists.`, status: 409 });
    }
    const made: StoredFunction = {
      name,
      comment: FunctionConfig.Comment,
      runtime: FunctionConfig.Runtime,
      etag: `ETVPDKIKX0DER${functions.size}`,
      stage: 'DEVELOPMENT',
    };
    functions.set(name, made);
    const answer = xmlAnswer(201, summary(made));
    return { ...answer, headers: { ...answer.headers, etag: made.etag, location: functionArn(name) } };
  };

  const publish = (name: string, request: AwsRequest, call: Call): AwsAnswer => {
    call.allow('cloudfront:PublishFunction', functionArn(name));
    const found = functions.get(name);
    if (found === undefined) {
      throw new ServiceFault({ code: 'NoSuchFunctionExists', message: `There is no ${name}.`, status: 404 });
    }
    if (request.headers['if-match'] !== found.etag) {
      throw new ServiceFault({
        code: 'InvalidIfMatchVersion',
        message: 'The If-Match version is missing or not valid for the resource.',
      });
    }
    const live: StoredFunction = { ...found, stage: 'LIVE' };
    functions.set(name, live);
    return xmlAnswer(200, summary(live));
  };

  return async (request: AwsRequest, call: Call): Promise<AwsAnswer> => {
    try {
      const [, name] = new RegExp(`^${folder}/([^/]+)/publish$`).exec(request.path) ?? [];
      if (request.method === 'POST' && request.path === folder) return create(request, call);
      if (request.method === 'POST' && name !== undefined) return publish(name, request, call);
      throw unsupported(request);
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      const isDenied = error.code === 'AccessDeniedException';
      return xmlAnswer(
        isDenied ? 403 : error.status,
        `<ErrorResponse xmlns="${namespace}"><Error><Type>Sender</Type>` +
          `${element('Code', isDenied ? 'AccessDenied' : error.code)}${element('Message', error.message)}` +
          '</Error></ErrorResponse>',
      );
    }
  };
};
