import { enableCompileCache } from 'node:module';

// Before anything else is loaded: what was compiled once is not compiled by the next start again.
enableCompileCache();
await import('./serve.ts');
