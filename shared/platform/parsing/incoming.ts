import type * as z from 'zod';
import { missingField, unknownField } from '../errors.ts';
import { type AsSent, keptTexts, type Mistake, type Path } from './texts.ts';

const isWithin = (path: Path, outer: Path): boolean =>
  outer.length <= path.length && outer.every((step, index) => step === path[index]);

const isSame = (one: Path, other: Path): boolean => one.length === other.length && isWithin(one, other);

/** One mistake for each unknown field: zod lists all unknown fields of an object in one issue, at the object's path. */
export const mistakesOf = (error: z.ZodError): Mistake[] =>
  error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], message: issue.message }))
      : [{ path: issue.path, message: issue.message }],
  );

const isOfUnknown = ({ message }: Mistake): boolean => message.startsWith(unknownField);

/** The mistakes in a value: of each field only one. What an unknown field contains does not matter. */
const joined = (ofSchema: readonly Mistake[], ofTexts: readonly Mistake[]): Mistake[] => {
  const unknown = ofSchema.filter(isOfUnknown);
  const texts = ofTexts.filter(({ path }) => !unknown.some((field) => isWithin(path, field.path)));
  const others = ofSchema.filter(({ path }) => !texts.some((text) => isSame(text.path, path)));
  return [...others, ...texts];
};

export type Incoming<Value> =
  | { readonly success: true; readonly data: Value }
  | { readonly success: false; readonly mistakes: readonly Mistake[]; readonly cause?: z.ZodError };

/**
 * Parses what came in, by HTTP or in a file. Every such value must be parsed here, because this applies the rule for
 * texts (`keptTexts`), which the schemas therefore do not contain.
 */
export const parseIncoming = <Value>(
  schema: z.ZodType<Value>,
  value: unknown,
  {
    asSent = [],
    error = missingField,
  }: {
    /** @default none */
    readonly asSent?: AsSent | undefined;
    readonly error?: z.core.$ZodErrorMap;
  } = {},
): Incoming<Value> => {
  const texts = keptTexts(value, asSent);
  const parsed = schema.safeParse(texts.value, { error });
  if (parsed.success && texts.mistakes.length === 0) return { success: true, data: parsed.data };
  const ofSchema = parsed.success ? [] : mistakesOf(parsed.error);
  return {
    success: false,
    mistakes: joined(ofSchema, texts.mistakes),
    ...(!parsed.success && { cause: parsed.error }),
  };
};
