import { synthesize } from '../../local/assembly/synthesize.ts';
import { templateDirectory } from './local-assembly.ts';

/** Tables of integration tests are those of the template. */
export const setup = async (): Promise<void> => {
  await synthesize({ stage: 'local', outputDirectory: templateDirectory, bundling: false });
};
