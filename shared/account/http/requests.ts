import * as z from 'zod';
import { pageQuery } from '../../platform/http/page-query.ts';

export const exportQuerySchema = z.strictObject({ cursor: pageQuery.cursor });
export type ExportQuery = z.output<typeof exportQuerySchema>;
