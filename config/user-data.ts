import * as z from 'zod';

export const userDataConfig = z.strictObject({});
