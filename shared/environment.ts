import type * as z from 'zod';

/**
 * Parses a function's own environment at init, so that a missing or malformed variable fails the first invocation by
 * name, and not some later call.
 *
 * @throws Error that names each variable.
 */
export const parseEnvironment = <Schema extends z.ZodType>(
  schema: Schema,
  environment: NodeJS.ProcessEnv = process.env,
): z.output<Schema> => {
  // Parsed once: compiling the schema would take longer than it saves.
  const parsed = schema.safeParse(environment, { jitless: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`Environment of the function: ${issues.join('; ')}`);
};
