import * as z from 'zod';
import type { WebRequest } from './types.ts';

/** Texts are compared as they are. */
export const textTransformations = z
  .array(z.strictObject({ Priority: z.number(), Type: z.literal('NONE') }))
  .min(1);

/**
 * The part of a request that a statement compares. A statement about a header that the request lacks does not match.
 */
const field = z.union([
  z.strictObject({ UriPath: z.strictObject({}) }).transform(
    () =>
      ({ uriPath }: WebRequest): string | undefined =>
        uriPath,
  ),
  z.strictObject({ Method: z.strictObject({}) }).transform(
    () =>
      ({ method }: WebRequest): string | undefined =>
        method,
  ),
  z.strictObject({ SingleHeader: z.strictObject({ Name: z.string().min(1) }) }).transform(
    ({ SingleHeader: { Name } }) =>
      ({ header }: WebRequest) =>
        header(Name.toLowerCase()),
  ),
]);

export type Matches = (request: WebRequest) => boolean;

const seen = { FieldToMatch: field, TextTransformations: textTransformations };

const comparisons = {
  EQ: (size: number, limit: number) => size === limit,
  NE: (size: number, limit: number) => size !== limit,
  LE: (size: number, limit: number) => size <= limit,
  LT: (size: number, limit: number) => size < limit,
  GE: (size: number, limit: number) => size >= limit,
  GT: (size: number, limit: number) => size > limit,
};

/** A statement that matches requests by their contents. */
export const matchStatement: z.ZodType<Matches> = z.lazy(() =>
  z.union([
    z
      .strictObject({
        RegexMatchStatement: z.strictObject({ ...seen, RegexString: z.string().min(1).max(512) }),
      })
      .transform(({ RegexMatchStatement: { FieldToMatch, RegexString } }): Matches => {
        const pattern = new RegExp(RegexString);
        return (request) => pattern.test(FieldToMatch(request) ?? '');
      }),
    z
      .strictObject({
        ByteMatchStatement: z.strictObject({
          ...seen,
          PositionalConstraint: z.literal('EXACTLY'),
          SearchString: z.string().min(1).max(200),
        }),
      })
      .transform(
        ({ ByteMatchStatement: { FieldToMatch, SearchString } }): Matches =>
          (request) =>
            FieldToMatch(request) === SearchString,
      ),
    z
      .strictObject({
        SizeConstraintStatement: z.strictObject({
          ...seen,
          ComparisonOperator: z.literal(['EQ', 'NE', 'LE', 'LT', 'GE', 'GT']),
          Size: z.int().min(0),
        }),
      })
      .transform(({ SizeConstraintStatement: { FieldToMatch, ComparisonOperator, Size } }): Matches => {
        const compare = comparisons[ComparisonOperator];
        return (request) => {
          const value = FieldToMatch(request);
          return value !== undefined && compare(Buffer.byteLength(value), Size);
        };
      }),
    z.strictObject({ NotStatement: z.strictObject({ Statement: matchStatement }) }).transform(
      ({ NotStatement: { Statement } }): Matches =>
        (request) =>
          !Statement(request),
    ),
    z
      .strictObject({ AndStatement: z.strictObject({ Statements: z.array(matchStatement).min(2) }) })
      .transform(
        ({ AndStatement: { Statements } }): Matches =>
          (request) =>
            Statements.every((each) => each(request)),
      ),
    z.strictObject({ OrStatement: z.strictObject({ Statements: z.array(matchStatement).min(2) }) }).transform(
      ({ OrStatement: { Statements } }): Matches =>
        (request) =>
          Statements.some((each) => each(request)),
    ),
  ]),
);
