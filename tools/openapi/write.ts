import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './document.ts';
import { withErrorTable } from './error-table.ts';
import { withParts } from './interface-page.ts';
import { operations } from './operations.ts';

const docs = new URL('../../docs/', import.meta.url);
const document = openApiDocument(operations);
writeFileSync(new URL('openapi.json', docs), `${JSON.stringify(document, null, 2)}\n`);

const guide = new URL('customer-guide.md', docs);
writeFileSync(guide, withErrorTable(readFileSync(guide, 'utf8')));

const page = new URL('interface.md', docs);
writeFileSync(page, withParts(readFileSync(page, 'utf8'), document));
