import * as z from 'zod';

export const ottConfig = z.strictObject({});
