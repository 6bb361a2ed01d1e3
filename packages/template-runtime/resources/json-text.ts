import * as z from 'zod';

/** A property with JSON as text. Its value is the parsed JSON. */
export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    context.issues.push({ code: 'custom', input: text, message: `not JSON: ${String(error)}` });
    return z.NEVER;
  }
});
