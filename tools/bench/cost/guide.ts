import { fileURLToPath } from 'node:url';

const documented = (name: string): string => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));

export const guideFile = documented('costs.md');
export const scaleFile = documented('scale.md');
