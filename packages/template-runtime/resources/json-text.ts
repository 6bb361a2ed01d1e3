import * as z from 'zod';

export const jsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    context.issues.push({ code: 'custom', input: text, message: `not JSON: ${String(error)}` });
    return z.NEVER;
  }
});
