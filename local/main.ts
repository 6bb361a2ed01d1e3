import { enableCompileCache } from 'node:module';

// This comes before any other module is loaded, so that the next start can reuse their compiled code.
enableCompileCache();
await import('./serve.ts');
