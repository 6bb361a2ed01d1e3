import { writeFileSync } from 'node:fs';
import { openApiDocument } from './document.ts';
import { operations } from './operations.ts';

const file = new URL('../docs/openapi.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(openApiDocument(operations), null, 2)}\n`);
