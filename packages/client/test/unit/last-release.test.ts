import { describe, expectTypeOf, it } from 'vitest';
import type { operations as Current } from '../../src/generated/schema.ts';
import type { operations as Last } from './last-release.d.ts';

type Json<Message> =
  NonNullable<Message> extends { content: { 'application/json': infer Body } } ? Body : never;
type Parameters<Call> = Call extends { parameters: infer All } ? All : never;
type Request<Call> = Call extends { requestBody?: infer Sent } ? Json<Sent> : never;
type Answer<Call> = Call extends { responses: infer Answers }
  ? Json<Answers[keyof Answers & (200 | 201 | 202)]>
  : never;

/** New values that appear only in responses to callers who use the new operations. */
type Added = never;
type Before<Value> = Value extends string
  ? Exclude<Value, Added>
  : Value extends object
    ? { [Field in keyof Value]: Before<Value[Field]> }
    : Value;

type Names = keyof Last & keyof Current;
/** The calls of which the first type is not accepted where the second is expected. */
type Broken<Accepted extends Record<Names, boolean>> = {
  [Name in Names]: Accepted[Name] extends true ? never : Name;
}[Names];

// `tsc` judges these types. Vitest does not.
describe('a client that was generated from the last release', () => {
  it('still has each of its calls', () => {
    expectTypeOf<Exclude<keyof Last, keyof Current>>().toEqualTypeOf<never>();
  });

  it('can send the same requests', () => {
    expectTypeOf<
      Broken<{ [Name in Names]: [Request<Last[Name]>] extends [Request<Current[Name]>] ? true : false }>
    >().toEqualTypeOf<never>();
    expectTypeOf<
      Broken<{ [Name in Names]: [Parameters<Last[Name]>] extends [Parameters<Current[Name]>] ? true : false }>
    >().toEqualTypeOf<never>();
  });

  it('can parse each response', () => {
    expectTypeOf<
      Broken<{ [Name in Names]: [Before<Answer<Current[Name]>>] extends [Answer<Last[Name]>] ? true : false }>
    >().toEqualTypeOf<never>();
  });
});
