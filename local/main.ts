import { enableCompileCache } from 'node:module';

// Called before anything else is loaded, so that the next start reuses compiled code.
enableCompileCache();
await import('./serve.ts');
