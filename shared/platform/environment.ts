import * as z from 'zod';

/**
 * Parses a function's environment when the function starts. So a missing or malformed variable makes the first
 * invocation fail, not a later one.
 * @throws Error that names each wrong variable.
 */
export const parseEnvironmentBy = <Schema extends z.ZodType>(schema: Schema): z.output<Schema> => {
  // `jitless`: the schema is used only once, so Zod would spend more time on compiling it than the compiled schema
  // saves.
  const parsed = schema.safeParse(process.env, { jitless: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Invalid environment variables of the function: ${issues.join('; ')}`);
};

/** The same, for a function that always has the same variables. */
export const parseEnvironment = <Variables extends z.ZodRawShape>(
  variables: Variables,
): z.output<z.ZodObject<Variables>> => parseEnvironmentBy(z.object(variables));
