import type * as z from 'zod';

/**
 * Parses a function's environment when the function starts. So a missing or malformed variable makes the first
 * invocation fail, not a later one.
 * @throws Error that names each wrong variable.
 */
export const parseEnvironment = <Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv = process.env,
): z.output<Schema> => {
  // `jitless`: the schema is used only once, so Zod would spend more time on compiling it than the compiled schema
  // saves.
  const parsed = schema.safeParse(environment, { jitless: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Invalid environment variables of the function: ${issues.join('; ')}`);
};
